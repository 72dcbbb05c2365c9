import { setTimeout as delay } from 'node:timers/promises';
import { waitFor } from '@casewatch/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { headersOf, newPartner, operator, type Pair } from '../support/operator.ts';
import { partnerClient, verifiedUser } from '../support/partner-client.ts';
import { call, codePattern, inMailTo, type Tokens } from '../support/person.ts';
import { type System, startSystem } from '../support/system.ts';

describe('a rotation under load', () => {
  let system: System;
  let partner: Pair;
  beforeAll(async () => {
    system = await startSystem();
    partner = await newPartner(system, 'Busy Firm');
  }, 240_000);
  afterAll(async () => {
    await system.stop();
  }, 60_000);

  /** Runs `work` again and again, in `lanes` at once, until it is stopped; what went wrong. */
  function under(lanes: number, work: () => Promise<number>) {
    const statuses: number[] = [];
    let isOver = false;
    const lane = async () => {
      while (!isOver) {
        statuses.push(await work());
        // The system shares its machine with this: a rotation is under test, not how much it bears.
        await delay(25);
      }
    };
    const running = Promise.all(Array.from({ length: lanes }, lane));
    return {
      statuses,
      async failures() {
        isOver = true;
        await running;
        return statuses.filter((status) => status !== 200);
      },
    };
  }

  it('of the signing keys fails no request', async () => {
    const dev = system.dev();
    const person = await verifiedUser(dev, partnerClient(dev, partner));
    const asked = await call(dev, 'POST', '/v1/auth/login-code', { body: { email: person.email } });
    const code = await inMailTo(dev, person.email, codePattern);
    const body = { email: person.email, code, request_id: asked.body.request_id };
    let tokens = (await call(dev, 'POST', '/v1/auth/token', { body })).body as Tokens;
    const usedKids = new Set<string>();

    const refresh = async () => {
      const grant = { grant_type: 'refresh_token', refresh_token: tokens.refresh_token };
      const issued = await call(dev, 'POST', '/v1/auth/token', { body: grant });
      if (issued.status === 200) tokens = issued.body as Tokens;
      return issued.status;
    };
    const read = async () => {
      const token = tokens.access_token;
      const { status } = await call(dev, 'GET', `/v1/users/${person.id}`, { token });
      usedKids.add(kidOf(token));
      return status;
    };
    const refreshing = under(1, refresh);
    const reading = under(4, read);
    const first = kidOf(tokens.access_token);
    const rotated = await operator<{ signing_key: { kid: string } }>(
      system,
      'signing-key',
      'rotate',
      '--lead-seconds',
      '10',
    );
    await waitFor(() => usedKids.has(rotated.signing_key.kid), { timeoutMs: 120_000, what: 'the new key' });
    const soFar = reading.statuses.length;
    await waitFor(() => reading.statuses.length > soFar + 200, { timeoutMs: 120_000, what: 'its use' });
    expect([await refreshing.failures(), await reading.failures()]).toEqual([[], []]);
    expect([...usedKids]).toEqual([first, rotated.signing_key.kid]);
  }, 300_000);

  it("of a partner's key fails no request, neither with the old pair nor with the new one", async () => {
    const dev = system.dev();
    let current: Pick<Pair, 'api_key' | 'api_secret'> = partner;
    const ask = async (pair: Pick<Pair, 'api_key' | 'api_secret'>) =>
      (await call(dev, 'GET', '/v1/client/users', { headers: headersOf(pair) })).status;
    const withOld = under(2, () => ask(partner));
    const withNewest = under(2, () => ask(current));
    const { status, body } = await call(dev, 'POST', `/v1/client/keys/${partner.key_id}/rotate`, {
      body: { overlap_seconds: 3_600 },
      headers: headersOf(partner),
    });
    expect(status).toBe(201);
    current = body.key as Pair;
    const soFar = withNewest.statuses.length;
    await waitFor(() => withNewest.statuses.length > soFar + 200, { timeoutMs: 120_000, what: 'its use' });
    expect([await withOld.failures(), await withNewest.failures()]).toEqual([[], []]);
    const deleted = await call(dev, 'DELETE', `/v1/client/keys/${partner.key_id}`, {
      headers: headersOf(current),
    });
    expect(deleted.status).toBe(200);
    await waitFor(async () => (await ask(partner)) === 401, { what: 'the end of the old pair' });
    expect(await ask(current)).toBe(200);
  }, 300_000);

  function kidOf(token: string): string {
    return (JSON.parse(Buffer.from(token.split('.')[0] ?? '', 'base64url').toString()) as { kid: string })
      .kid;
  }
});
