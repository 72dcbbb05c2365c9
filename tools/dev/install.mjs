/** Installs what is missing, and nothing else: for checks that then run under the pinned Node. */
import { ensureInstalled } from './bootstrap.mjs';

await ensureInstalled();
