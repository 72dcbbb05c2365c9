/** npm test [-- path …]: installs what is missing, gets the servers, runs jest, names what could not run here. */
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { ensureInstalled, exitLike, runNode, say } from './bootstrap.mjs';

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
const result = await runNode([...JEST, ...process.argv.slice(2)]);
say(`Not run here: ${missingLayers().join('; ')}.`);
exitLike(result);

function missingLayers() {
  const missing = ['browser (there are no browser tests yet)'];
  if (containers) return missing;
  const docker = spawnSync('docker', ['info'], { stdio: 'ignore', timeout: 10_000 }).status === 0;
  const why = docker ? 'not asked for: TEST_BACKEND=containers' : 'Docker does not answer here';
  return [...missing, `servers in containers (${why})`];
}
