import { setTimeout as delay } from 'node:timers/promises';
import {
  bearer,
  createPartner,
  keyHeaders,
  kidOf,
  type PartnerKeys,
  type PartnerWithKey,
  refreshTokens,
  send,
  signIn,
  type Tokens,
} from '@casewatch/driver';
import { waitFor } from '@casewatch/testing';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { newPartner, operator } from '../support/operator.ts';
import { type System, sharedSystem } from '../support/system.ts';

type Pair = Omit<PartnerKeys, 'id'>;

describe('a rotation under load', () => {
  let system: System;
  let partner: PartnerWithKey;
  beforeAll(async () => {
    system = await sharedSystem();
    partner = await newPartner(system.dataDir, 'Busy Firm');
  });

  /** Runs `work` again and again, in `lanes` at once, until it is stopped; what went wrong. */
  function under(lanes: number, work: () => Promise<number>) {
    const statuses: number[] = [];
    let isOver = false;
    const lane = async () => {
      while (!isOver) {
        statuses.push(await work());
        // The system shares its machine with this: a rotation is under test, not how much it bears.
        await delay(50);
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
    const person = await createPartner(dev, partner).verifiedUser();
    let tokens: Tokens = await signIn(dev, person.email);
    const usedKids = new Set<string>();

    const refresh = async () => {
      const issued = await refreshTokens(dev, tokens);
      if (issued.status === 200) tokens = issued.body;
      return issued.status;
    };
    const read = async () => {
      const used = tokens;
      const as = bearer(used.access_token);
      const { status } = await send(dev, 'GET', { as, path: `/v1/users/${person.id}` });
      usedKids.add(kidOf(used));
      return status;
    };
    const refreshing = under(1, refresh);
    const reading = under(4, read);
    const first = kidOf(tokens);
    const rotated = await operator<{ signing_key: { kid: string } }>(
      system.dataDir,
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
  });

  it("of a partner's key fails no request, neither with the old pair nor with the new one", async () => {
    const dev = system.dev();
    let current: Pair = partner;
    const ask = async (pair: Pair) =>
      (await send(dev, 'GET', { as: keyHeaders(pair), path: '/v1/client/users' })).status;
    const withOld = under(2, () => ask(partner));
    const withNewest = under(2, () => ask(current));
    const { status, body } = await createPartner(dev, partner).call<{ key: PartnerWithKey }>(
      'POST',
      `/v1/client/keys/${partner.key_id}/rotate`,
      { overlap_seconds: 3_600 },
    );
    expect(status).toBe(201);
    current = body.key;
    const soFar = withNewest.statuses.length;
    await waitFor(() => withNewest.statuses.length > soFar + 200, { timeoutMs: 120_000, what: 'its use' });
    expect([await withOld.failures(), await withNewest.failures()]).toEqual([[], []]);
    const deleted = await createPartner(dev, current).call('DELETE', `/v1/client/keys/${partner.key_id}`);
    expect(deleted.status).toBe(200);
    await waitFor(async () => (await ask(partner)) === 401, { what: 'the end of the old pair' });
    expect(await ask(current)).toBe(200);
  });
});
