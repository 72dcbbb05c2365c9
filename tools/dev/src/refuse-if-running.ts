import type { DataDir } from './data-dir.ts';
import { readDevFile } from './dev-files.ts';
import { CliError } from './problem.ts';

/**
 * @returns whether a system with these data was killed: its ports may be busy for a moment
 * @throws CliError if the system still runs
 */
export async function assertNotRunning(data: DataDir): Promise<boolean> {
  const dev = readDevFile(data);
  if (dev === undefined) return false;
  const signal = AbortSignal.timeout(2_000);
  const runs = await fetch(`${dev.gateway_url}/livez`, { signal }).then(
    ({ ok }) => ok,
    () => false,
  );
  if (!runs) return true;
  throw new CliError(
    `A system with the data in ${data.root} runs already, at ${dev.gateway_url}.\n` +
      'End it first (Ctrl-C where it runs), or start one beside it: CASEWATCH_DATA=/other/dir PORT_BASE=5000 npm start',
  );
}
