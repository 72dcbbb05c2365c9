import type { Bus } from '@casewatch/platform';
import { connectAs } from '@casewatch/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { AdminContext } from '../../src/admin/admin-context.ts';
import { seedDemo } from '../../src/admin/seed-demo.ts';
import { isWellFormedKey, secretSha256 } from '../../src/credentials/api-key.ts';
import { admin, runCommand } from '../support/people.ts';
import { startTestIdentity, type TestIdentity } from '../support/start-identity.ts';

let identity: TestIdentity;
let gateway: Bus;

beforeAll(async () => {
  // The demo keys are made as in development, and met by a service that runs in production.
  identity = await startTestIdentity({}, { NODE_ENV: 'production' });
  gateway = await connectAs(identity.nats, 'gateway');
});
afterAll(async () => {
  await gateway.stop();
  await identity.stop();
});

type Seeded = { id: number; api_key: string; api_secret: string };

describe('the demo seed', () => {
  it('makes partners 1 and 2 with known keys, once', async () => {
    const first = await admin(identity, 'seed-demo');
    const { partner, other_partner } = first as { partner: Seeded; other_partner: Seeded };
    expect([partner.id, other_partner.id]).toEqual([1, 2]);
    expect(isWellFormedKey(partner.api_key) && isWellFormedKey(other_partner.api_key)).toBe(true);
    expect(partner.api_secret).toMatch(/^cws_live_[0-9A-Za-z]{49}$/);
    expect(await admin(identity, 'seed-demo')).toEqual(first);
    const { partners } = (await admin(identity, 'partner', 'list')) as { partners: { name: string }[] };
    expect(partners.map((row) => row.name).sort()).toEqual(['Demo Law Firm', 'Demo Relocation']);
  });

  it('is refused in production, and so are its keys', async () => {
    const inProduction = { isProduction: true } as AdminContext;
    await expect(seedDemo.run(inProduction, {})).rejects.toThrow(
      'Demo partners are not created in production.',
    );
    const { partner } = (await admin(identity, 'seed-demo')) as { partner: Seeded };
    const { api_key } = partner;
    const asked = { api_key, secret_sha256: secretSha256(partner.api_secret), address: '203.0.113.7' };
    await expect(gateway.request('identity.authenticate', asked)).rejects.toMatchObject({
      code: 'invalid_api_key',
    });
  });
});

describe("the operator's command", () => {
  it('sets what notifications of a partner show, and empties it', async () => {
    const made = await admin(identity, 'partner', 'create', '--name', 'Zoned', '--email', 'z@example.com');
    const { id } = made.partner as { id: number };
    const set = (...args: string[]) => admin(identity, 'partner', 'set', '--partner', String(id), ...args);
    const url = 'https://firm.example/cases/{user_case_id}';
    await set('--case-url', url, '--time-zone', 'America/Chicago', '--notify-unverified', 'yes');
    const read = () => identity.db.collection<{ _id: number }>('partners').findOne({ _id: id });
    const zoned = { case_url: url, time_zone: 'America/Chicago', notify_unverified: true, version: 2 };
    expect(await read()).toMatchObject(zoned);
    await set('--time-zone', 'none', '--notify-unverified', 'no');
    const unzoned = { ...zoned, time_zone: null, notify_unverified: false, version: 3 };
    expect(await read()).toMatchObject(unzoned);
    const long = `https://firm.example/${'x'.repeat(480)}`;
    const tooLong = await runCommand(identity, [
      'partner',
      'set',
      '--partner',
      String(id),
      '--case-url',
      long,
    ]);
    expect(tooLong).toMatchObject({ code: 2, err: expect.stringContaining('at most 500 characters') });
    expect(await read()).toMatchObject(unzoned);
    await set('--case-url', long.slice(0, 500));
    expect(await read()).toMatchObject({ case_url: long.slice(0, 500) });
    const wrong = await runCommand(identity, [
      'partner',
      'set',
      '--partner',
      String(id),
      '--time-zone',
      'Mars',
    ]);
    expect(wrong).toMatchObject({ code: 2, err: expect.stringContaining('must be a time zone such as') });
  });

  it('lists keys without their secrets, and revokes them', async () => {
    const made = await admin(identity, 'partner', 'create', '--name', 'Firm', '--email', 'a@example.com');
    const { id } = made.partner as { id: number };
    const { key } = (await admin(identity, 'key', 'create', '--partner', String(id), '--name', 'second')) as {
      key: { id: number; api_key: string };
    };
    await admin(identity, 'key', 'revoke', '--key', String(key.id));
    const { keys } = (await admin(identity, 'key', 'list', '--partner', String(id))) as {
      keys: Record<string, unknown>[];
    };
    expect(keys).toMatchObject([
      { name: 'first key', revoked_at: null },
      { id: key.id, name: 'second', api_key: key.api_key, revoked_at: expect.any(String) },
    ]);
    expect(Object.keys(keys[0] ?? {}).some((name) => name.includes('secret'))).toBe(false);
  });

  it('rotates a key with an overlap, and refuses a third live one', async () => {
    const made = await admin(identity, 'partner', 'create', '--name', 'Rotor', '--email', 'r@example.com');
    const { id, key_id } = made.partner as { id: number; key_id: number };
    const rotated = await admin(
      identity,
      'key',
      'rotate',
      '--key',
      String(key_id),
      '--overlap-seconds',
      '60',
    );
    const { key, replaced_key } = rotated as {
      key: Seeded;
      replaced_key: { id: number; expires_at: string };
    };
    expect(replaced_key.id).toBe(key_id);
    expect(Date.parse(replaced_key.expires_at)).toBeGreaterThan(Date.now());
    const asked = {
      api_key: key.api_key,
      secret_sha256: secretSha256(key.api_secret),
      address: '203.0.113.7',
    };
    expect((await gateway.request('identity.authenticate', asked)).principal.key_id).toBe(String(key.id));
    const third = await runCommand(identity, ['key', 'create', '--partner', String(id)]);
    expect([third.code, third.err]).toEqual([1, expect.stringContaining('Two key pairs are already active')]);
    await admin(identity, 'key', 'revoke', '--key', String(key_id));
    const gone = await runCommand(identity, ['key', 'rotate', '--key', String(key_id)]);
    expect([gone.code, gone.err]).toEqual([1, `Key ${key_id} has ended; create a new one.`]);
    const limited = ['key', 'create', '--partner', String(id), '--allowed-ips', '192.0.2.0/24, 2001:db8::1'];
    await admin(identity, ...limited);
    const { keys } = await admin(identity, 'key', 'list', '--partner', String(id));
    expect((keys as Record<string, unknown>[]).at(-1)).toMatchObject({
      allowed_ips: ['192.0.2.0/24', '2001:db8::1'],
    });
    const wrong = await runCommand(identity, [...limited.slice(0, 4), '--allowed-ips', 'everywhere']);
    expect([wrong.code, wrong.err]).toEqual([
      2,
      expect.stringContaining('--allowed-ips must be IP addresses'),
    ]);
  });

  it('says the right form where it is called wrongly', async () => {
    for (const args of [
      [],
      ['partner'],
      ['key', 'list'],
      ['key', 'list', '--partner', 'x'],
      ['partner', 'list', '--colour', 'blue'],
      ['user', 'suspend', '7'],
    ]) {
      const { code, out, err } = await runCommand(identity, args);
      expect([code, out]).toEqual([2, '']);
      expect(err).toContain('npm run admin -- ');
    }
    const missing = await runCommand(identity, ['key', 'list']);
    expect(missing.err).toContain('--partner is missing');
    const settings = await runCommand(identity, ['partner', 'list'], { SECRET_PEPPER: 'short' });
    expect([settings.code, settings.err.includes('SECRET_PEPPER')]).toEqual([2, true]);
  });

  it('says in a sentence what is not there', async () => {
    const { code, err } = await runCommand(identity, ['user', 'suspend', '--user', '999999']);
    expect([code, err]).toEqual([1, 'There is no user 999999.']);
    expect((await runCommand(identity, ['key', 'revoke', '--key', '999999'])).err).toBe(
      'There is no key 999999.',
    );
    const lines = await runCommand(identity, ['partner', 'list']);
    expect([lines.code, lines.out.split('\n').length > 0]).toEqual([0, true]);
  });
});
