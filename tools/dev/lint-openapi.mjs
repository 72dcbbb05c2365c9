/** npm run lint:openapi: Redocly and Spectral over the OpenAPI document, as the operation table says it now. */
import { fileURLToPath } from 'node:url';
import { ensureInstalled, exitLike, runNode } from './bootstrap.mjs';

await ensureInstalled();
exitLike(await runNode([fileURLToPath(new URL('./src/openapi/lint/main.ts', import.meta.url))]));
