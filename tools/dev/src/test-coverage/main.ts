/** npm run coverage [-- path …]: npm test, and which lines of our sources it runs, in any process. Without paths it writes docs/coverage.md. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { ROOT } from '../options.ts';
import { coveragePage, packagesOf } from './coverage-page.ts';
import { createCoverage, takeReports } from './reports.ts';

const takeEveryMs = 2_000;

const paths = process.argv.slice(2);
const folder = join(ROOT, '.cache/coverage');
rmSync(folder, { recursive: true, force: true });
mkdirSync(folder, { recursive: true });

const coverage = createCoverage(ROOT);
const tests = spawn(process.execPath, [join(ROOT, 'tools/dev/test.mjs'), ...paths], {
  env: { ...process.env, NODE_V8_COVERAGE: folder },
  stdio: 'inherit',
});
const ended = new AbortController();
void once(tests, 'exit').finally(() => ended.abort());
// All reports together are larger than the disk of a small machine.
while (!ended.signal.aborted) {
  takeReports(folder, coverage);
  await delay(takeEveryMs, undefined, { signal: ended.signal }).catch(() => undefined);
}
takeReports(folder, coverage);
const page = coveragePage(packagesOf(coverage));
console.log(`\n${page}`);
if (paths.length === 0) writeFileSync(join(ROOT, 'docs/coverage.md'), page);
process.exitCode = tests.exitCode ?? 1;
