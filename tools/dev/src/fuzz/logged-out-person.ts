import { setTimeout as delay } from 'node:timers/promises';
import type { DevFile } from '../dev-files.ts';
import type { FuzzedPerson } from './fuzzed-person.ts';

/**
 * Lets a person log out, which no run can: what comes after it would all be 401.
 * @returns what was wrong with the answers; undefined where logging out answers 200 and ends the token
 */
export async function faultOfLogOut(dev: DevFile, { id, token }: FuzzedPerson): Promise<string | undefined> {
  const headers = { authorization: `Bearer ${token}` };
  const done = await fetch(`${dev.gateway_url}/v1/auth/logout`, { method: 'POST', headers });
  const { success } = (await done.json()) as { success: boolean };
  if (done.status !== 200 || !success) return `logging out answered ${done.status}`;
  // A gateway may trust what it knew for two seconds (architecture.md §4).
  const until = performance.now() + 2_000;
  for (;;) {
    const after = await fetch(`${dev.gateway_url}/v1/users/${id}`, { headers });
    const { code } = (await after.json()) as { code?: string };
    if (code === 'token_revoked') return undefined;
    if (performance.now() > until) return `after logging out: ${after.status} ${code}`;
    await delay(100);
  }
}
