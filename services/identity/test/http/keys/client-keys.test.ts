import type { PartnerPrincipal, Scope } from '@casewatch/contracts';
import type { Bus } from '@casewatch/platform';
import { connectAs } from '@casewatch/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { isWellFormedKey, secretSha256 } from '../../../src/credentials/api-key.ts';
import { admin, makePartner, type TestPartner } from '../../support/people.ts';
import type { TestIdentity } from '../../support/start-identity.ts';
import { sharedIdentity } from '../../support/use-identity.ts';

type Key = { id: number; api_key: string; api_secret: string | null } & Record<string, unknown>;

let identity: TestIdentity;
let gateway: Bus;
let partner: TestPartner;
let firstId: number;

beforeAll(async () => {
  ({ identity } = await sharedIdentity());
  gateway = await connectAs(identity.nats, 'gateway');
});
afterAll(async () => {
  await gateway.stop();
});
beforeEach(async () => {
  partner = await makePartner(identity, 'Law Firm');
  firstId = (await list())[0]?.id ?? 0;
});

const call = (method: string, path: string, options: Parameters<TestIdentity['call']>[2] = {}) =>
  identity.call(method, `/v1/client/keys${path}`, { as: partner.as, ...options });
const list = async () => (await call('GET', '')).body.keys as Key[];
const create = async (body: object = {}) => {
  const reply = await call('POST', '', { body });
  return { ...reply, key: reply.body.key as Key };
};
const rotate = async (id: number, body: object = {}, headers = {}) => {
  const reply = await call('POST', `/${id}/rotate`, { body, headers });
  return { ...reply, key: reply.body.key as Key, replaced: reply.body.replaced_key as Key };
};
const use = ({ api_key, api_secret }: { api_key: string; api_secret: string | null }) =>
  gateway.request('identity.authenticate', {
    api_key,
    secret_sha256: secretSha256(api_secret ?? ''),
    address: '203.0.113.7',
  });
const callerWith = ({ id }: Key): PartnerPrincipal => ({ ...partner.as, key_id: String(id) });
const limitedTo = (...scopes: Scope[]): PartnerPrincipal => ({ ...partner.as, scopes });
const revision = async () => (await gateway.request('identity.revocations', { since: null })).revision;
const changesSince = async (since: number) =>
  (await gateway.request('identity.revocations', { since })).changes;

describe('creating a key', () => {
  it('answers a pair that works, with its secret once, and as it was limited', async () => {
    const body = {
      name: 'second office',
      scopes: ['cases:read'],
      allowed_ips: ['203.0.113.0/24', '2001:db8::1'],
      expires_at: '2099-01-01T00:00:00Z',
    };
    const { status, key, headers } = await create(body);
    expect([status, headers.get('location')]).toEqual([201, `/v1/client/keys/${key.id}`]);
    expect(key).toMatchObject({ ...body, expires_at: '2099-01-01T00:00:00.000Z', revoked_at: null });
    expect(isWellFormedKey(key.api_key)).toBe(true);
    expect((await use(key)).principal).toMatchObject({ key_id: String(key.id), scopes: ['cases:read'] });
    const [newest] = await list();
    expect(newest).toMatchObject({ id: key.id, expires_at: '2099-01-01 00:00:00' });
    expect(newest && 'api_secret' in newest).toBe(false);
  });

  it('is refused beyond two live pairs, also when two are asked for at once', async () => {
    const statuses = (await Promise.all([create(), create(), create()])).map(({ status }) => status);
    expect(statuses.sort()).toEqual([201, 409, 409]);
    expect((await create()).body.code).toBe('key_limit_reached');
  });

  it.each([
    [{ allowed_ips: ['300.1.1.1'] }],
    [{ allowed_ips: ['192.0.2.0/33'] }],
    [{ scopes: ['everything'] }],
    [{ scopes: [] }],
    [{ expires_at: '2020-01-01T00:00:00Z' }],
    [{ expires_at: 'tomorrow' }],
    [{ secret: 'mine' }],
  ])('refuses %j', async (body) => {
    const { status, body: problem } = await create(body);
    expect([status, problem.code]).toEqual([400, 'validation_failed']);
  });

  it('gives the same answer for the same Idempotency-Key, but not the secret again', async () => {
    const headers = { 'idempotency-key': 'key-1' };
    const first = await call('POST', '', { body: {}, headers });
    const again = await call('POST', '', { body: {}, headers });
    expect(again.headers.get('idempotent-replayed')).toBe('true');
    expect(again.body.key).toEqual({ ...(first.body.key as Key), api_secret: null });
    expect(await list()).toHaveLength(2);
    const stored = JSON.stringify(await identity.db.collection('idempotency').find().toArray());
    expect(stored).not.toContain((first.body.key as Key).api_secret);
  });
});

describe('rotating a key', () => {
  it('gives a pair that may do the same; both work during the overlap', async () => {
    const before = await revision();
    const { status, key, replaced } = await rotate(firstId, { overlap_seconds: 3_600 });
    expect(status).toBe(201);
    expect(replaced).toMatchObject({ id: firstId, replaced_by: key.id, revoked_at: null });
    const secondsLeft = (Date.parse(String(replaced.expires_at)) - Date.now()) / 1_000;
    expect(secondsLeft).toBeGreaterThan(3_500);
    expect(secondsLeft).toBeLessThanOrEqual(3_600);
    expect((await use(key)).principal.scopes).toEqual(partner.as.scopes);
    expect((await use(partner)).good_until).toBe(replaced.expires_at);
    expect(await changesSince(before)).toEqual([{ kind: 'key', id: String(firstId) }]);
  });

  it('ends the old pair at once without an overlap', async () => {
    const { key } = await rotate(firstId, { overlap_seconds: 0 });
    await expect(use(partner)).rejects.toMatchObject({ code: 'api_key_expired' });
    expect((await use(key)).principal.key_id).toBe(String(key.id));
    const again = await call('POST', `/${firstId}/rotate`, { as: callerWith(key), body: {} });
    expect(again.body.code).toBe('key_not_found');
  });

  it('does not lengthen the life of a pair that ends before the overlap does', async () => {
    const { key } = await create({ expires_at: new Date(Date.now() + 60_000).toISOString() });
    await admin(identity, 'key', 'revoke', '--key', String(firstId));
    const { status, body } = await call('POST', `/${key.id}/rotate`, { as: callerWith(key), body: {} });
    expect([status, (body.replaced_key as Key).expires_at]).toEqual([201, key.expires_at]);
  });

  it('needs room for the overlap: at most two are live', async () => {
    await create();
    expect((await rotate(firstId)).body.code).toBe('key_limit_reached');
    expect((await rotate(firstId, { overlap_seconds: 0 })).status).toBe(201);
  });

  it('happens once for two at once, and the secret is not shown again', async () => {
    const headers = { 'idempotency-key': 'rotation-1' };
    const first = await rotate(firstId, {}, headers);
    const again = await rotate(firstId, {}, headers);
    expect([again.status, again.key]).toEqual([201, { ...first.key, api_secret: null }]);
    expect(await list()).toHaveLength(2);
  });
});

describe('revoking a key', () => {
  it('ends it, and says so to the gateways', async () => {
    const { key } = await create();
    const before = await revision();
    const reply = await call('DELETE', `/${key.id}`);
    expect([reply.status, (reply.body.key as Key).revoked_at]).toEqual([200, expect.any(String)]);
    await expect(use(key)).rejects.toMatchObject({ code: 'api_key_revoked' });
    expect(await changesSince(before)).toEqual([{ kind: 'key', id: String(key.id) }]);
    expect((await call('DELETE', `/${key.id}`)).body.key).toEqual(reply.body.key);
    expect(await revision()).toBe(before + 1);
  });

  it('never ends the last one, also when both are revoked at once', async () => {
    expect((await call('DELETE', `/${firstId}`)).body.code).toBe('last_key');
    const { key } = await create();
    // Each by itself: a key that has ended revokes none.
    const both = await Promise.all(
      [partner.as, callerWith(key)].map((as) => call('DELETE', `/${as.key_id}`, { as })),
    );
    expect(both.map(({ status }) => status).sort()).toEqual([200, 409]);
  });

  it('does not count a pair in its overlap as one to go on with', async () => {
    const { key } = await rotate(firstId);
    const as = callerWith(key);
    expect((await call('DELETE', `/${key.id}`, { as })).body.code).toBe('last_key');
    expect((await call('DELETE', `/${firstId}`, { as })).status).toBe(200);
  });
});

describe('a partner is not locked out', () => {
  const inAnHour = () => new Date(Date.now() + 3_600_000).toISOString();
  const inTwoDays = () => new Date(Date.now() + 48 * 3_600_000).toISOString();

  it.each([
    ['may only check', { scopes: ['check'] }],
    ['may read, and cannot manage keys', { scopes: ['users:read', 'cases:read', 'webhooks'] }],
    ['ends within the day', { expires_at: inAnHour() }],
    ['works from nowhere that the partner is', { allowed_ips: ['198.51.100.7'] }],
  ])('by revoking itself while the other key %s', async (_what, body) => {
    const { key } = await create(body);
    const refused = await call('DELETE', `/${firstId}`);
    expect([refused.status, refused.body.code]).toEqual([409, 'last_key']);
    // The caller keeps what it needs.
    expect((await call('DELETE', `/${key.id}`)).status).toBe(200);
  });

  it.each([
    ['may do the same', {}],
    ['has the scope keys, and lasts two days', { scopes: ['keys'], expires_at: inTwoDays() }],
    ['works from the address of the caller', { allowed_ips: ['192.0.2.0/24', '203.0.113.0/24'] }],
  ])('and may revoke itself while the other key %s', async (_what, body) => {
    expect((await create(body)).status).toBe(201);
    expect((await call('DELETE', `/${firstId}`)).body).toMatchObject({ success: true });
  });

  it('by a rotation into a key that ends in seconds', async () => {
    const body = { expires_at: new Date(Date.now() + 2_000).toISOString() };
    for (const overlap_seconds of [0, 1, 86_400])
      expect((await rotate(firstId, { ...body, overlap_seconds })).body.code).toBe('last_key');
    expect(await list()).toHaveLength(1);
    // Nothing was changed: the key still does all.
    expect((await rotate(firstId, { expires_at: inTwoDays(), overlap_seconds: 0 })).status).toBe(201);
  });

  it('by a rotation of a key whose own end is near: the new one lasts as long', async () => {
    const { key } = await create({ expires_at: inAnHour() });
    const as = callerWith(key);
    const rotated = await call('POST', `/${key.id}/rotate`, { as, body: { overlap_seconds: 0 } });
    expect([rotated.status, (rotated.body.key as Key).expires_at]).toEqual([201, key.expires_at]);
  });

  it('by two keys that revoke each other while a third way in is only a limited key', async () => {
    const { key } = await create();
    const both = await Promise.all(
      [partner.as, callerWith(key)].map((as, i) => call('DELETE', `/${[key.id, firstId][i]}`, { as })),
    );
    expect(both.filter(({ status }) => status === 200)).toHaveLength(1);
    const left = (await list()).filter(({ revoked_at }) => revoked_at === null);
    expect(left).toHaveLength(1);
  });
});

describe('rotations of one key at once', () => {
  it.each([
    ['with an overlap', { overlap_seconds: 3_600 }],
    ['without an overlap', { overlap_seconds: 0 }],
    ['with an end', { overlap_seconds: 60, expires_at: '2099-01-01T00:00:00Z' }],
  ])('%s: one succeeds, the others say that the key is gone or the limit is reached', async (_what, body) => {
    const answers = await Promise.all(Array.from({ length: 6 }, () => rotate(firstId, body)));
    const codes = answers.map(({ status, body: { code } }) => (status === 201 ? 201 : code));
    expect(codes.filter((code) => code === 201)).toHaveLength(1);
    for (const code of codes) expect([201, 'key_not_found', 'key_limit_reached']).toContain(code);
  });
});

describe('the keys of others', () => {
  it('are not there', async () => {
    const other = await makePartner(identity, 'Other Firm');
    for (const reply of [
      await call('DELETE', `/${firstId}`, { as: other.as }),
      await call('POST', `/${firstId}/rotate`, { as: other.as, body: {} }),
      await call('DELETE', '/999999999'),
    ]) {
      expect([reply.status, reply.body.code]).toEqual([404, 'key_not_found']);
    }
    const { body } = await call('GET', '', { as: other.as });
    expect((body.keys as Key[]).map(({ id }) => id)).not.toContain(firstId);
  });

  it('need the scope keys', async () => {
    const { status, body } = await call('GET', '', { as: limitedTo('users:read') });
    expect([status, body.code]).toEqual([403, 'insufficient_scope']);
  });
});

describe('listing keys', () => {
  it('goes page by page, newest first', async () => {
    const { key } = await create();
    const page = await call('GET', '?limit=1');
    expect(page.body).toMatchObject({ keys: [{ id: key.id }], has_more: true });
    const next = await call('GET', `?limit=1&cursor=${String(page.body.next_cursor)}`);
    expect(next.body).toMatchObject({ keys: [{ id: firstId }], has_more: false, next_cursor: null });
  });
});

describe('a partner', () => {
  it('is suspended and let in again with its event, once', async () => {
    const id = String(partner.as.partner_id);
    const before = await revision();
    for (const word of ['suspend', 'suspend', 'reactivate']) {
      await admin(identity, 'partner', word, '--partner', id);
    }
    const events = await identity.db
      .collection('outbox')
      .find({ type: 'partner.updated', body: new RegExp(`"partner_id":${id},`) })
      .toArray();
    const statuses = events.map(
      ({ body }) => (JSON.parse(String(body)) as { data: { status: string } }).data,
    );
    expect(statuses).toEqual([
      { partner_id: partner.as.partner_id, status: 'suspended', version: 2 },
      { partner_id: partner.as.partner_id, status: 'active', version: 3 },
    ]);
    expect(await changesSince(before)).toEqual([
      { kind: 'partner', id },
      { kind: 'partner', id },
    ]);
  });
});
