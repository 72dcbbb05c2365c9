/** npm start: see README.md beside this file. */
import { fileURLToPath } from 'node:url';
import { ensureInstalled, exitLike, runNode } from './bootstrap.mjs';

await ensureInstalled();
const main = fileURLToPath(new URL('./src/main.ts', import.meta.url));
exitLike(await runNode([main, ...process.argv.slice(2)]));
