/** npm run openapi: writes docs/openapi.json from the operation table, and says what in it would break a client. */
import { fileURLToPath } from 'node:url';
import { ensureInstalled, exitLike, runNode } from './bootstrap.mjs';

await ensureInstalled();
exitLike(await runNode([fileURLToPath(new URL('./src/openapi/main.ts', import.meta.url))]));
