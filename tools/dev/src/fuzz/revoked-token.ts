import { setTimeout as delay } from 'node:timers/promises';
import type { DevFile } from '../dev-files.ts';
import type { FuzzedPerson } from './fuzzed-person.ts';

/** A gateway may trust what it knew for so long (architecture.md §4), ms. */
const knownWithinMs = 2_000;

/** What the person's token is still good for when every gateway must know its end; undefined where it is revoked. */
export async function unrevoked(dev: DevFile, { id, token }: FuzzedPerson): Promise<string | undefined> {
  const until = performance.now() + knownWithinMs;
  for (;;) {
    const isLast = performance.now() > until;
    const headers = { authorization: `Bearer ${token}` };
    const answer = await fetch(`${dev.gateway_url}/v1/users/${id}`, { headers });
    const { code } = (await answer.json()) as { code?: string };
    if (code === 'token_revoked') return undefined;
    if (isLast) return `${answer.status} ${code}`;
    await delay(100);
  }
}
