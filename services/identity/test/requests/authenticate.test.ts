import { scopes } from '@casewatch/contracts';
import type { Bus } from '@casewatch/platform';
import { connectAs, waitFor } from '@casewatch/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { makeKeyPair, secretSha256 } from '../../src/credentials/api-key.ts';
import { admin, makePartner, type TestPartner } from '../support/people.ts';
import { startTestIdentity, type TestIdentity } from '../support/start-identity.ts';

let identity: TestIdentity;
let gateway: Bus;
let partner: TestPartner;

beforeAll(async () => {
  identity = await startTestIdentity();
  gateway = await connectAs(identity.nats, 'gateway');
  partner = await makePartner(identity, 'Law Firm');
});
afterAll(async () => {
  await gateway.stop();
  await identity.stop();
});

const ask = ({ api_key, api_secret }: { api_key: string; api_secret: string }, address = '203.0.113.7') =>
  gateway.request('identity.authenticate', { api_key, secret_sha256: secretSha256(api_secret), address });

/** Of a partner of its own: there can be two. */
async function newKey() {
  const { as } = await makePartner(identity, 'Another Firm');
  const made = await admin(identity, 'key', 'create', '--partner', String(as.partner_id));
  return made.key as { id: number; api_key: string; api_secret: string };
}
const change = (id: number, set: Record<string, unknown>) =>
  identity.db.collection('api_keys').updateOne({ _id: id as never }, { $set: set });

describe('authenticating a partner', () => {
  it('answers who it is and what the key may do', async () => {
    expect(await ask(partner)).toEqual({
      principal: {
        kind: 'partner',
        partner_id: partner.as.partner_id,
        key_id: expect.stringMatching(/^\d+$/),
        scopes: [...scopes],
      },
      good_until: null,
    });
  });

  it('refuses a wrong secret, an unknown key and a typo', async () => {
    const stranger = makeKeyPair();
    const last = partner.api_key.endsWith('a') ? 'b' : 'a';
    for (const pair of [
      { ...partner, api_secret: stranger.api_secret },
      stranger,
      { ...partner, api_key: partner.api_key.slice(0, -1) + last },
      { ...partner, api_key: '' },
    ]) {
      await expect(ask(pair)).rejects.toMatchObject({ code: 'invalid_api_key' });
    }
  });

  it('keeps neither secret nor its hash', async () => {
    const text = JSON.stringify(await identity.db.collection('api_keys').find().toArray());
    expect(text).not.toContain(partner.api_secret);
    expect(text).not.toContain(secretSha256(partner.api_secret));
    expect(text).toContain(partner.api_key);
  });

  it('refuses a revoked and an expired key, but only to who has the secret', async () => {
    const key = await newKey();
    await admin(identity, 'key', 'revoke', '--key', String(key.id));
    await expect(ask(key)).rejects.toMatchObject({ code: 'api_key_revoked' });
    await expect(ask({ ...key, api_secret: 'x' })).rejects.toMatchObject({ code: 'invalid_api_key' });
    const soon = await newKey();
    const end = new Date(Date.now() + 3_600_000);
    await change(soon.id, { expires_at: end });
    expect((await ask(soon)).good_until).toBe(end.toISOString());
    const old = await newKey();
    await change(old.id, { expires_at: new Date(Date.now() - 1_000) });
    await expect(ask(old)).rejects.toMatchObject({ code: 'api_key_expired' });
  });

  it('allows the addresses of the key alone', async () => {
    const key = await newKey();
    await change(key.id, { allowed_ips: ['192.0.2.0/24', '2001:db8::/32', '198.51.100.9'] });
    for (const good of ['192.0.2.77', '2001:db8::1', '198.51.100.9', '::ffff:192.0.2.77']) {
      expect((await ask(key, good)).principal.key_id).toBe(String(key.id));
    }
    for (const bad of ['192.0.3.1', '2001:db9::1', 'nowhere']) {
      await expect(ask(key, bad)).rejects.toMatchObject({ code: 'ip_not_allowed' });
    }
  });

  it('refuses a suspended partner', async () => {
    const suspended = await makePartner(identity, 'Gone');
    const id = String(suspended.as.partner_id);
    await admin(identity, 'partner', 'suspend', '--partner', id);
    await expect(ask(suspended)).rejects.toMatchObject({ code: 'partner_suspended' });
    await admin(identity, 'partner', 'reactivate', '--partner', id);
    expect((await ask(suspended)).principal.partner_id).toBe(suspended.as.partner_id);
  });

  it('notes the last use, at most once a minute', async () => {
    const key = await newKey();
    const lastUse = async () =>
      (await identity.db.collection('api_keys').findOne({ _id: key.id as never }))
        ?.last_used_at as Date | null;
    await ask(key);
    const first = await waitFor(lastUse);
    await ask(key);
    await change(key.id, { last_used_at: new Date(Date.now() - 61_000) });
    await ask(key);
    await waitFor(async () => Number(await lastUse()) >= first.getTime());
    expect(Number(await lastUse())).toBeGreaterThan(Date.now() - 30_000);
  });
});
