/** npm test [-- path …]: installs what is missing, gets the servers, runs jest, names what could not run here. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ensureInstalled, exitLike, root, runNode, say } from './bootstrap.mjs';

const JEST = ['node_modules/jest/bin/jest.js'];
const containers = process.env.TEST_BACKEND === 'containers';

await ensureInstalled();
if (!containers) {
  // Before jest, so that a download shows its progress and its failure is a sentence.
  const servers = await runNode([fileURLToPath(new URL('./src/prepare-servers.ts', import.meta.url))]);
  if (servers.code !== 0) exitLike(servers);
}
const asked = process.argv.slice(2);
const counts = { passed: 0, failed: 0, skipped: 0 };
/** Seconds of each test file. */
const files = [];
const shown = 10;
/** Skipped tests of each test file. */
const skipped = new Map();
// As batch work, which Linux interrupts less often: a run needs some 3 % less CPU (ADR 0072). Elsewhere nothing changes.
spawnSync('chrt', ['--batch', '--pid', '0', String(process.pid)], { stdio: 'ignore' });
const result = await runJest(asked);
if (result.signal !== null) exitLike(result);
if (asked.length === 0) {
  say(`The ${shown} slowest files, seconds:`);
  const slowest = files.toSorted((one, other) => other.seconds - one.seconds).slice(0, shown);
  for (const { file, seconds } of slowest) say(`${seconds.toFixed(1).padStart(7)}  ${file}`);
}
for (const [file, tests] of skipped) say(`Skipped tests in ${file}: ${tests}`);
say(`Not run here: ${missingLayers().join('; ')}.`);
console.log(
  `${counts.passed} passed, ${counts.failed} failed${counts.skipped > 0 ? `, ${counts.skipped} skipped` : ''}`,
);
exitLike(result);

/** Runs jest, which prints its own summary, and counts its results. Without arguments it takes the suites of all files. */
async function runJest(args) {
  const folder = mkdtempSync(join(tmpdir(), 'casewatch-jest-'));
  const report = join(folder, 'report.json');
  const env = { ...process.env, ...(args.length === 0 && { TEST_SUITES: '1' }) };
  const result = await runNode([...JEST, '--json', `--outputFile=${report}`, ...args], { env });
  count(report);
  rmSync(folder, { recursive: true });
  return result;
}

function count(report) {
  try {
    const { numPassedTests, numFailedTests, numPendingTests, numRuntimeErrorTestSuites, testResults } =
      JSON.parse(readFileSync(report, 'utf8'));
    files.push(...testResults.flatMap(timesOf));
    counts.passed += numPassedTests;
    counts.failed += numFailedTests + numRuntimeErrorTestSuites;
    counts.skipped += numPendingTests;
    for (const { name, assertionResults } of testResults)
      for (const { status, ancestorTitles } of assertionResults) {
        const file = fileOf(name, ancestorTitles);
        if (status === 'pending') skipped.set(file, (skipped.get(file) ?? 0) + 1);
      }
  } catch (err) {
    if (err.code !== 'ENOENT') throw err;
    // jest ended before it had anything to report; its exit code says so.
  }
}

/** The tests of a suite have the name of their file as first title. */
function fileOf(name, [title]) {
  return name.includes('/.cache/suites/') ? title : name.slice(root.length + 1);
}

/** Seconds of each file. */
function timesOf({ name, startTime, endTime, assertionResults }) {
  if (!name.includes('/.cache/suites/'))
    return [{ file: fileOf(name, []), seconds: (endTime - startTime) / 1_000 }];
  const seconds = new Map();
  for (const { ancestorTitles, duration } of assertionResults) {
    const file = fileOf(name, ancestorTitles);
    seconds.set(file, (seconds.get(file) ?? 0) + (duration ?? 0) / 1_000);
  }
  return [...seconds].map(([file, seconds]) => ({ file, seconds }));
}

function missingLayers() {
  const missing = asked.length === 0 ? ['pages and mails in a browser (npm run test:browser)'] : [];
  const python = spawnSync('python3', ['-c', 'import requests'], { stdio: 'ignore' }).status === 0;
  if (!python) missing.push('the Python samples of /docs (python3 with the package requests is missing)');
  if (containers) return missing;
  const docker = spawnSync('docker', ['info'], { stdio: 'ignore', timeout: 10_000 }).status === 0;
  const why = docker ? 'not asked for: TEST_BACKEND=containers' : 'Docker does not answer here';
  return [...missing, `servers in containers (${why})`];
}
