/** npm run examples: records the answers that the reference shows, from a system that it starts for it. */
import { fileURLToPath } from 'node:url';
import { ensureInstalled, exitLike, runNode } from './bootstrap.mjs';

await ensureInstalled();
exitLike(
  await runNode([
    fileURLToPath(new URL('./src/examples/main.ts', import.meta.url)),
    ...process.argv.slice(2),
  ]),
);
