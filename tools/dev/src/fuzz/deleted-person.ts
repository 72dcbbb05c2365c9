import type { DevFile } from '../dev-files.ts';
import type { FuzzedPerson } from './fuzzed-person.ts';
import { unrevoked } from './revoked-token.ts';

/**
 * Lets a person delete themselves, which no run can: what comes after it would all be 401.
 * @returns what was wrong with the answers; undefined where the deletion answers 200 and ends the token
 */
export async function faultOfDeletion(dev: DevFile, person: FuzzedPerson): Promise<string | undefined> {
  const headers = { authorization: `Bearer ${person.token}` };
  const deleted = await fetch(`${dev.gateway_url}/v1/users/${person.id}`, { method: 'DELETE', headers });
  const { success } = (await deleted.json()) as { success: boolean };
  if (deleted.status !== 200 || !success) return `deleting oneself answered ${deleted.status}`;
  const still = await unrevoked(dev, person);
  return still && `after deleting oneself: ${still}`;
}
