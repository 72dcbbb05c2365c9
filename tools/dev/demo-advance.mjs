/** npm run demo:advance: moves one demo case on and shows what arrives where. */
import { fileURLToPath } from 'node:url';
import { ensureInstalled, exitLike, runNode } from './bootstrap.mjs';

await ensureInstalled();
exitLike(await runNode([fileURLToPath(new URL('./src/demo-advance.ts', import.meta.url))]));
