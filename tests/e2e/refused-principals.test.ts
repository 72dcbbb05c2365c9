import { generateKeyPairSync } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type ServiceName, serviceNames } from '@casewatch/contracts';
import { createPartner, type DevFile, type Partner, send } from '@casewatch/driver';
import { waitFor } from '@casewatch/testing';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { newPartner } from '../support/operator.ts';
import { describeOwnSystem } from '../support/system.ts';
import { startSystemInProcess } from '../support/system-in-process.ts';

/** How far the clock of a service is ahead, ms. */
const shifts = Object.fromEntries(serviceNames.map((name) => [name, 0])) as Record<ServiceName, number>;

function shiftedClock(name: ServiceName) {
  return { now: () => new Date(Date.now() + shifts[name]) };
}

function readEnv(dataDir: string): Record<string, Record<string, string>> {
  return JSON.parse(readFileSync(join(dataDir, 'dev-env.json'), 'utf8'));
}

describeOwnSystem('a principal that a service cannot accept', () => {
  let system: Awaited<ReturnType<typeof startSystemInProcess>>;
  let dev: DevFile;
  beforeAll(async () => {
    const clocks = Object.fromEntries(serviceNames.map((name) => [name, shiftedClock(name)]));
    system = await startSystemInProcess({ RATE_LIMIT_SCALE: '300' }, clocks);
    dev = JSON.parse(readFileSync(join(system.dataDir, 'dev.json'), 'utf8'));
  });
  afterAll(() => system.stop());

  /** A partner whose principal the gateway has not signed yet: it signs that of reads every 30 s only. */
  const freshPartner = async () => createPartner(dev, await newPartner(system.dataDir, 'Law Firm'));

  async function askAll(partner: Partner) {
    const reads: Record<string, string> = {
      identity: '/v1/client/users',
      cases: '/v1/client/cases',
      webhooks: '/v1/webhooks',
      notifier: '/v1/client/suppressions',
    };
    const answers = Object.entries(reads).map(async ([name, path]) => {
      const { status, body, headers } = await send(dev, 'GET', { as: partner.headers, path });
      return [name, { status, code: body.code, retryAfter: headers.get('retry-after') }] as const;
    });
    const write = send(dev, 'POST', {
      as: partner.headers,
      path: '/v1/client/users',
      body: { email: `person.${performance.now()}@example.com`, name: 'Test Person' },
    });
    return { ...Object.fromEntries(await Promise.all(answers)), write: (await write).status };
  }

  const served = { status: 200, code: undefined, retryAfter: null };
  const ourFault = { status: 503, code: 'service_unavailable', retryAfter: '5' };
  const services = ['identity', 'cases', 'webhooks', 'notifier'] as const;
  const expected = (of: typeof served | typeof ourFault, names: readonly string[]) =>
    Object.fromEntries(services.map((name) => [name, names.includes(name) ? of : served]));

  const skews = [90_000, -90_000, 3_600_000, -3_600_000];
  it.each(services.flatMap((name) => skews.map((ms) => [name, ms] as const)))(
    'because the clock of %s is off by %i ms is a 503 of that service alone, and its callers keep their credentials',
    async (name, ms) => {
      const partner = await freshPartner();
      shifts[name] = ms;
      try {
        expect(await askAll(partner)).toEqual({
          ...expected(ourFault, [name]),
          write: name === 'identity' ? 503 : 201,
        });
      } finally {
        shifts[name] = 0;
      }
      expect(await askAll(partner)).toEqual({ ...expected(served, services), write: 201 });
    },
  );

  it.each(skews)(
    'because the clock of the gateway is off by %i ms is a 503 with Retry-After, never 401',
    async (ms) => {
      shifts.gateway = ms;
      try {
        expect(await askAll(await freshPartner())).toEqual({ ...expected(ourFault, services), write: 503 });
      } finally {
        shifts.gateway = 0;
      }
    },
  );

  it.each([...services, 'gateway'] as const)(
    'whose clock differs from that of %s by 20 s is served',
    async (name) => {
      for (const ms of [20_000, -20_000]) {
        shifts[name] = ms;
        try {
          expect(await askAll(await freshPartner())).toEqual({ ...expected(served, services), write: 201 });
        } finally {
          shifts[name] = 0;
        }
      }
    },
  );

  it.each(services)(
    'because of a key that %s does not know is a 503 with Retry-After, never 401',
    async (name) => {
      const { d: _private, ...key } = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({
        format: 'jwk',
      });
      const known = (kid: string) => ({ PRINCIPAL_JWKS: JSON.stringify({ keys: [{ ...key, kid }] }) });
      const kid = (readEnv(system.dataDir).gateway?.PRINCIPAL_KEY ?? '').match(/"kid":"([^"]+)"/)?.[1] ?? '';
      for (const id of ['next', kid]) {
        await system.stopService(name);
        await system.startService(name, known(id));
        const { write: _write, ...reads } = await askAll(await freshPartner());
        expect(reads).toEqual(expected(ourFault, [name]));
      }
      await system.stopService(name);
      await system.startService(name);
      // The gateway may still hold a connection to the one that ended.
      const isServed = async () => {
        const { write: _write, ...reads } = await askAll(await freshPartner());
        return (reads as Record<string, { status: number }>)[name]?.status === 200;
      };
      await waitFor(isServed, { timeoutMs: 60_000, what: `${name} again` });
      expect(await askAll(await freshPartner())).toEqual({ ...expected(served, services), write: 201 });
    },
  );

  it('changes nothing for callers without credentials, or with wrong ones', async () => {
    shifts.identity = 90_000;
    try {
      const path = '/v1/client/users';
      const nobody = await send(dev, 'GET', { path });
      expect([nobody.status, nobody.body.code]).toEqual([401, 'missing_credentials']);
      const as = { 'x-api-key': 'cw_live_wrong', 'x-api-secret': 'wrong' };
      expect((await send(dev, 'GET', { as, path })).status).toBe(401);
    } finally {
      shifts.identity = 0;
    }
  });
});
