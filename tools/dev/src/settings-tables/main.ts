/** npm run settings: writes .env.example and the settings tables of the READMEs; with --check it only compares. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../options.ts';
import { settingsDocuments } from './documents.ts';

const stale = settingsDocuments().filter(({ found, expected: wanted }) => found !== wanted);
if (process.argv.includes('--check')) {
  for (const { path } of stale)
    console.error(`${path} is not what the settings' schemas say: npm run settings`);
  process.exitCode = stale.length === 0 ? 0 : 1;
} else {
  for (const { path, expected: wanted } of stale) writeFileSync(join(ROOT, path), wanted);
  console.log(stale.map(({ path }) => `written: ${path}`).join('\n') || 'nothing has changed');
}
