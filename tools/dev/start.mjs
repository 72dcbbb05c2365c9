/** npm start: see README.md beside this file. */
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ensureInstalled, exitLike, root, runNode } from './bootstrap.mjs';

await ensureInstalled();
const main = fileURLToPath(new URL('./src/main.ts', import.meta.url));
const env = { NODE_COMPILE_CACHE: join(root, '.cache/node-compile'), ...process.env };
exitLike(await runNode([main, ...process.argv.slice(2)], { env }));
