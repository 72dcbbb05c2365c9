import { randomInt } from 'node:crypto';
import type { PartnerPrincipal, Scope } from '@casewatch/contracts';
import { seededRandom } from '@casewatch/testing';
import { expect, it } from '@jest/globals';
import type { KeyLimits } from '../../../src/credentials/key-limits.ts';
import { isSubsetOf, usesOf } from '../../support/key-uses.ts';
import { makePartner } from '../../support/people.ts';
import type { Reply, TestIdentity } from '../../support/start-identity.ts';
import { useIdentity } from '../../support/use-identity.ts';

const hourMs = 60 * 60 * 1_000;
const rounds = 60;
const seed = Number(process.env.SEED ?? randomInt(1e9));

const scopeSets: Scope[][] = [['keys'], ['keys', 'check'], ['keys', 'check', 'cases:read']];
const networkSets = [[], ['192.0.2.0/24'], ['192.0.2.7', '2001:db8::/32'], ['192.0.0.0/16', '2001::/16']];

let identity: TestIdentity;
useIdentity((started) => {
  ({ identity } = started);
});

/** A caller's key and another one of the same partner, with limits of their own. */
type Pair = { as: PartnerPrincipal; caller: KeyLimits; targetId: number; target: KeyLimits };
const operations = ['create', 'rotate', 'revoke'] as const;

/** Every second target has the caller's own limits: two random limits seldom allow the call. */
async function pairOf(
  limits: () => KeyLimits,
  random: (below: number) => number,
  targetIsLive: boolean,
): Promise<Pair> {
  const { as } = await makePartner(identity, 'Law Firm');
  const made = await identity.call('POST', '/v1/client/keys', { as, body: {} });
  const { id: targetId } = made.body.key as { id: number };
  const caller = limits();
  const target = random(2) === 0 ? caller : limits();
  const rows = identity.db.collection<{ _id: number }>('api_keys');
  await rows.updateOne({ _id: Number(as.key_id) }, { $set: { ...caller } });
  await rows.updateOne(
    { _id: targetId },
    { $set: { ...target, ...(!targetIsLive && { revoked_at: new Date() }) } },
  );
  return { as: { ...as, scopes: caller.scopes }, caller, targetId, target };
}

const wire = ({ scopes, allowed_ips, expires_at }: KeyLimits) => ({
  scopes,
  allowed_ips,
  expires_at: expires_at?.toISOString() ?? null,
});
const limitsOf = (key: unknown): KeyLimits => {
  const { scopes, allowed_ips, expires_at } = key as ReturnType<typeof wire>;
  return { scopes, allowed_ips, expires_at: expires_at === null ? null : new Date(expires_at) };
};
const isSubset = (key: KeyLimits, parent: KeyLimits) => isSubsetOf(usesOf(key), usesOf(parent));

it(`a key creates, rotates and revokes nothing beyond itself: ${rounds} rounds, SEED=${seed}`, async () => {
  const random = seededRandom(seed);
  const pick = <T>(from: readonly T[]): T => from[random(from.length)] as T;
  const start = Date.now();
  const limits = (): KeyLimits => {
    const hours = pick([null, 1, 2, 3]);
    const expires_at = hours === null ? null : new Date(start + hours * hourMs);
    return { scopes: pick(scopeSets), allowed_ips: pick(networkSets), expires_at };
  };
  const statuses = new Map<string, number>();
  for (let round = 0; round < rounds; round++) {
    const operation = operations[round % operations.length] ?? 'create';
    const { as, caller, target, targetId } = await pairOf(limits, random, operation !== 'create');
    const call = (method: string, path: string, body?: object): Promise<Reply> =>
      identity.call(method, `/v1/client/keys${path}`, { as, ...(body && { body }) });
    const asked = limits().expires_at;
    const reply = await {
      create: () => call('POST', '', wire(target)),
      rotate: () => call('POST', `/${targetId}/rotate`, { overlap_seconds: 0, expires_at: asked }),
      revoke: () => call('DELETE', `/${targetId}`),
    }[operation]();
    const success = operation === 'revoke' ? 200 : 201;
    const expected = isSubset(target, caller) ? success : 403;
    expect([round, operation, reply.status]).toEqual([round, operation, expected]);
    if (reply.status === 201) {
      const made = limitsOf(reply.body.key);
      expect([isSubset(made, caller), isSubset(made, target)]).toEqual([true, true]);
    }
    statuses.set(`${operation} ${reply.status}`, 1 + (statuses.get(`${operation} ${reply.status}`) ?? 0));
  }
  const kinds = ['create 201', 'create 403', 'revoke 200', 'revoke 403', 'rotate 201', 'rotate 403'];
  expect([...statuses.keys()].sort()).toEqual(kinds);
});
