/** npm test [-- path …]: installs what is missing, gets the servers, runs jest, names what could not run here. */
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { ensureInstalled, exitLike, runNode, say } from './bootstrap.mjs';

/** jest loads our modules, which are ES modules, with an interface of Node.js that is called experimental. */
const JEST = [
  '--experimental-vm-modules',
  '--disable-warning=ExperimentalWarning',
  'node_modules/jest/bin/jest.js',
];
const containers = process.env.TEST_BACKEND === 'containers';

await ensureInstalled();
if (!containers) {
  // Before jest, so that a download shows its progress and its failure is a sentence.
  const servers = await runNode([fileURLToPath(new URL('./src/prepare-servers.ts', import.meta.url))]);
  if (servers.code !== 0) exitLike(servers);
}
const asked = process.argv.slice(2);
const all = asked.every((word) => word.startsWith('-'));
// Tests in a browser have a command of their own: npm installs no browser.
const result = await runNode([
  ...JEST,
  ...asked,
  ...(all ? ['--testPathIgnorePatterns=/tests/browser/'] : []),
]);
if (result.signal === null) {
  const missing = missingLayers();
  if (missing.length > 0) say(`Not run here: ${missing.join('; ')}.`);
}
exitLike(result);

function missingLayers() {
  const missing = all ? ['pages and mails in a browser (npm run test:browser)'] : [];
  const python = spawnSync('python3', ['-c', 'import requests'], { stdio: 'ignore' }).status === 0;
  if (!python) missing.push('the Python samples of /docs (python3 with the package requests is missing)');
  const absent = ['kubectl', 'jq'].filter((tool) => spawnSync('which', [tool]).status !== 0);
  if (absent.length > 0)
    missing.push(`rendered manifests and the install pages (${absent.join(' and ')} missing)`);
  if (containers) return missing;
  const docker = spawnSync('docker', ['info'], { stdio: 'ignore', timeout: 10_000 }).status === 0;
  const why = docker ? 'not asked for: TEST_BACKEND=containers' : 'Docker does not answer here';
  return [...missing, `servers in containers (${why})`];
}
