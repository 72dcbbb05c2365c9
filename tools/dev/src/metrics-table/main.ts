/** npm run metrics: writes docs/metrics.md; with --check it only compares. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { ROOT } from '../options.ts';
import { metricsPage } from './metrics-page.ts';

const path = 'docs/metrics.md';
const file = join(ROOT, path);
const { values } = parseArgs({ options: { check: { type: 'boolean' } } });
const expected = metricsPage();
const isStale = !existsSync(file) || readFileSync(file, 'utf8') !== expected;
if (values.check) {
  if (isStale) console.error(`${path} is not what the code says: npm run metrics`);
  process.exitCode = isStale ? 1 : 0;
} else {
  writeFileSync(file, expected);
  console.log(isStale ? `written: ${path}` : 'Nothing has changed.');
}
