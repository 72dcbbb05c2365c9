import type { DevFile } from '../dev-files.ts';
import type { FuzzedPerson } from './fuzzed-person.ts';

/**
 * Lets a person delete themselves, which no run can: what comes after it would all be 401.
 * @returns what was wrong with the answers; undefined where the deletion answers 200 and ends the token
 */
export async function faultOfDeletion(
  dev: DevFile,
  { id, token }: FuzzedPerson,
): Promise<string | undefined> {
  const address = `${dev.gateway_url}/v1/users/${id}`;
  const headers = { authorization: `Bearer ${token}` };
  const deleted = await fetch(address, { method: 'DELETE', headers });
  const { success } = (await deleted.json()) as { success: boolean };
  if (deleted.status !== 200 || !success) return `deleting oneself answered ${deleted.status}`;
  const after = await fetch(address, { headers });
  const { code } = (await after.json()) as { code?: string };
  return code === 'token_revoked' ? undefined : `after deleting oneself: ${after.status} ${code}`;
}
