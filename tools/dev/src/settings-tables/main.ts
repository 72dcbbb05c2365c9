/** npm run settings: writes .env.example and the settings tables of the READMEs; with --check it only compares. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { ROOT } from '../options.ts';
import { settingsDocuments } from './documents.ts';

const { values } = parseArgs({ options: { check: { type: 'boolean' } } });
const stale = settingsDocuments().filter(({ current, expected }) => current !== expected);
if (values.check) {
  for (const { path } of stale)
    console.error(`${path} is not what the settings' schemas say: npm run settings`);
  process.exitCode = stale.length === 0 ? 0 : 1;
} else {
  for (const { path, expected } of stale) writeFileSync(join(ROOT, path), expected);
  console.log(stale.map(({ path }) => `written: ${path}`).join('\n') || 'Nothing has changed.');
}
