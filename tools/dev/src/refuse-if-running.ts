import type { DataDir } from './data-dir.ts';
import { readDevFile } from './dev-files.ts';
import { Problem } from './problem.ts';

/**
 * Two systems never share their data.
 * @returns true when a dev.json was left behind by one that did not end well: its ports may be busy for a moment
 * @throws Problem when the system whose dev.json stands there still answers
 */
export async function refuseIfRunning(data: DataDir): Promise<boolean> {
  const dev = readDevFile(data);
  if (dev === undefined) return false;
  const signal = AbortSignal.timeout(2_000);
  const runs = await fetch(`${dev.gateway_url}/livez`, { signal }).then(
    ({ ok }) => ok,
    () => false,
  );
  if (!runs) return true;
  throw new Problem(
    `A system with the data in ${data.root} runs already, at ${dev.gateway_url}.\n` +
      'End it first (Ctrl-C where it runs), or start one beside it: CASEWATCH_DATA=/other/dir PORT_BASE=5000 npm start',
  );
}
