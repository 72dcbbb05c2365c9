import type { DevFile } from '../dev-files.ts';
import type { FuzzedPerson } from './fuzzed-person.ts';
import { unrevoked } from './revoked-token.ts';

/**
 * Lets a person log out, which no run can: what comes after it would all be 401.
 * @returns what was wrong with the answers; undefined where logging out answers 200 and ends the token
 */
export async function faultOfLogOut(dev: DevFile, person: FuzzedPerson): Promise<string | undefined> {
  const headers = { authorization: `Bearer ${person.token}` };
  const done = await fetch(`${dev.gateway_url}/v1/auth/logout`, { method: 'POST', headers });
  const { success } = (await done.json()) as { success: boolean };
  if (done.status !== 200 || !success) return `logging out answered ${done.status}`;
  const still = await unrevoked(dev, person);
  return still && `after logging out: ${still}`;
}
