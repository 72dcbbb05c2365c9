import type { PartnerPrincipal, Scope } from '@casewatch/contracts';
import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { admin, makePartner, type TestPartner } from '../../support/people.ts';
import type { Reply, TestIdentity } from '../../support/start-identity.ts';
import { sharedIdentity } from '../../support/use-identity.ts';

type Key = { id: number; scopes: Scope[]; allowed_ips: string[]; expires_at: string | null };

const hourMs = 60 * 60 * 1_000;
const inHours = (hours: number) => new Date(Date.now() + hours * hourMs).toISOString();

let identity: TestIdentity;
let partner: TestPartner;
/** The partner's first key, which may do everything. */
let full: PartnerPrincipal;

beforeAll(async () => {
  ({ identity } = await sharedIdentity());
});
beforeEach(async () => {
  partner = await makePartner(identity, 'Law Firm');
  full = partner.as;
});

const call = (as: PartnerPrincipal, method: string, path: string, body?: object) =>
  identity.call(method, `/v1/client/keys${path}`, { as, ...(body && { body }) });
const keyOf = (reply: Reply) => reply.body.key as Key;
const outcome = ({ status, body }: Reply) => [status, body.code];
const refused = [403, 'insufficient_scope'];

/** A second key with these limits, as the gateway vouches for it. */
async function limitedKey(limits: object): Promise<PartnerPrincipal> {
  const reply = await call(full, 'POST', '', limits);
  expect(reply.status).toBe(201);
  const { id, scopes } = keyOf(reply);
  return { ...full, key_id: String(id), scopes };
}

describe.each([
  ['scopes', { scopes: ['keys', 'users:read'] }],
  ['networks', { allowed_ips: ['192.0.2.0/24', '2001:db8::/32'] }],
  ['an end', { expires_at: inHours(1) }],
])('a key that is limited by %s', (_what, limits) => {
  it('creates no key that may do more', async () => {
    const as = await limitedKey(limits);
    const wide = { scopes: [...full.scopes], allowed_ips: [], expires_at: null };
    expect(outcome(await call(as, 'POST', '', wide))).toEqual(refused);
  });

  it('creates a key with its own limits if the request names no limits', async () => {
    const as = await limitedKey(limits);
    // The operator may: a partner could not leave itself with such a key only.
    await admin(identity, 'key', 'revoke', '--key', full.key_id);
    const reply = await call(as, 'POST', '', {});
    expect(reply.status).toBe(201);
    expect(keyOf(reply)).toMatchObject(limits);
  });

  it('neither rotates nor revokes one that may do more', async () => {
    const as = await limitedKey(limits);
    const rotation = await call(as, 'POST', `/${full.key_id}/rotate`, { overlap_seconds: 0 });
    expect(outcome(rotation)).toEqual(refused);
    expect(outcome(await call(as, 'DELETE', `/${full.key_id}`))).toEqual(refused);
    expect((await call(full, 'GET', '')).body.keys).toHaveLength(2);
  });

  it('rotates itself into one with the same limits, and revokes itself', async () => {
    const as = await limitedKey(limits);
    const rotation = await call(as, 'POST', `/${as.key_id}/rotate`, { overlap_seconds: 0, expires_at: null });
    expect(rotation.status).toBe(201);
    expect(keyOf(rotation)).toMatchObject(limits);
    const { id } = keyOf(rotation);
    expect((await call({ ...as, key_id: String(id) }, 'DELETE', `/${id}`)).status).toBe(200);
  });

  it('is rotated by one that may do everything, and keeps its limits', async () => {
    const as = await limitedKey(limits);
    const asked = { overlap_seconds: 0, expires_at: inHours(100) };
    const rotation = await call(full, 'POST', `/${as.key_id}/rotate`, asked);
    expect(rotation.status).toBe(201);
    expect(keyOf(rotation)).toMatchObject(limits);
  });
});

describe('a rotation', () => {
  it('shortens the life of a key where it is asked to', async () => {
    const as = await limitedKey({ expires_at: inHours(5) });
    const expires_at = inHours(2);
    const rotation = await call(full, 'POST', `/${as.key_id}/rotate`, { overlap_seconds: 0, expires_at });
    expect([rotation.status, keyOf(rotation).expires_at]).toEqual([201, expires_at]);
  });
});

describe('a replaced key', () => {
  it('creates no key that outlives it, and does not revoke its successor', async () => {
    const rotation = await call(full, 'POST', `/${full.key_id}/rotate`, { overlap_seconds: 60 });
    const successor = keyOf(rotation);
    expect(outcome(await call(full, 'DELETE', `/${successor.id}`))).toEqual(refused);
    expect(outcome(await call(full, 'POST', '', { expires_at: null }))).toEqual(refused);
    expect(outcome(await call(full, 'POST', '', { expires_at: inHours(1) }))).toEqual(refused);
    const within = await call(full, 'POST', '', {});
    expect(outcome(within)).toEqual([409, 'key_limit_reached']);
  });
});

describe('a key that has ended', () => {
  it('creates no key, although the gateway vouched for it a moment ago', async () => {
    const as = await limitedKey({});
    await call(full, 'DELETE', `/${as.key_id}`);
    for (const [method, path] of [
      ['POST', ''],
      ['DELETE', `/${full.key_id}`],
    ] as const) {
      const reply = await call(as, method, path, method === 'POST' ? {} : undefined);
      expect(outcome(reply)).toEqual([401, 'api_key_revoked']);
    }
  });
});

describe('the refusal', () => {
  it('says in which way the key may do less', async () => {
    const as = await limitedKey({ allowed_ips: ['192.0.2.0/24'], scopes: ['keys'] });
    const reply = await call(as, 'POST', '', { scopes: ['check'], allowed_ips: ['192.0.0.0/16'] });
    expect(reply.body.message).toBe(
      'An API key cannot create, rotate or revoke a key with more permissions. These fields exceed the calling key: scopes (check), allowed_ips.',
    );
  });
});
