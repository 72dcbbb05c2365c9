/** node tools/dev/run.mjs <program.ts> [argument …]: installs what is missing and runs a program under Node 24. */
import { ensureInstalled, exitLike, runNode } from './bootstrap.mjs';

await ensureInstalled();
exitLike(await runNode(process.argv.slice(2)));
