/** npm run fuzz [-- --max-examples 5]: schemathesis over the running system, with a partner's keys and with a token. */
import { fileURLToPath } from 'node:url';
import { ensureInstalled, exitLike, runNode } from './bootstrap.mjs';

await ensureInstalled();
exitLike(
  await runNode([fileURLToPath(new URL('./src/fuzz/main.ts', import.meta.url)), ...process.argv.slice(2)]),
);
