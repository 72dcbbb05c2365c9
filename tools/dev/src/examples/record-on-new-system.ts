import { readDevEnvFile } from '../dev-files.ts';
import { withOwnSystem } from '../own-system.ts';
import { Problem } from '../problem.ts';
import { record, type Wanted } from './record.ts';

/** Recipes sign in more often than one may in an hour; the one about limits gets there all the same. */
const RATE_LIMIT_SCALE = '10';

/** Starts a system of its own, with limits that the recipes stay below, records on it, and stops it. */
export async function recordOnNewSystem(
  work: { say: (line: string) => void; signal: AbortSignal },
  wanted: Wanted,
): Promise<void> {
  const env = { ...process.env, RATE_LIMIT_SCALE };
  await withOwnSystem({ ...work, env }, async (dev, data) => {
    const settings = readDevEnvFile(data);
    if (!settings) throw new Problem('The system has stopped.');
    await record({ ...work, dev, data, env: settings, startedAt: new Date() }, wanted);
  });
}
