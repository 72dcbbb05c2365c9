import type { ReplyData } from '@casewatch/contracts';
import { connectAs, waitFor } from '@casewatch/testing';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { check, checkSeen, senderAnswers } from '../support/case-events.ts';
import { served } from '../support/government.ts';
import { startWorld, type World } from '../support/world.ts';

type MonitorState = ReplyData<'monitor.state'>;

describe('monitor.check', () => {
  let world: World;
  beforeAll(async () => {
    world = await startWorld();
    await world.startMonitor();
    await senderAnswers(world);
  });
  afterEach(() => world.government.fault({ mode: 'none' }));
  afterAll(() => world.stop());

  it('answers what the government shows, with what a case needs to be made of it', async () => {
    await world.government.set('EAC5000000001', {
      ...served('Case Was Received', 'We got <a href="https://x.test">it</a> &amp; more.'),
      form_type: 'N400',
      history: [{ date: '2023-01-02', text_en: 'Case Was Received', text_es: 'Recibido' }],
    });
    const seen = await checkSeen(world, 'EAC5000000001');
    expect(seen).toMatchObject({ observation: 1, source: 'live', spanish_source: 'uscis' });
    expect(seen.facts).toMatchObject({
      status_code: 'Case Was Received',
      status_description: 'We got it & more.',
      status_code_pt: 'Caso recebido',
      status_slug: 'case_was_received',
      category: 'received',
      form_type: 'N-400',
      submitted_date: '2023-09-05T14:28:12.000Z',
      history: [{ date: '2023-01-02', status_code_es: 'Recibido', status_code_pt: 'Caso recebido' }],
    });
    const again = await checkSeen(world, 'EAC5000000001');
    expect(again).toMatchObject({ observation: 1, facts_hash: seen.facts_hash });
    expect(again.status_update_id).not.toBe(seen.status_update_id);
  });

  it('answers from store what is young enough', async () => {
    const live = await checkSeen(world, 'EAC9999103405');
    const cached = await checkSeen(world, 'EAC9999103405', 900);
    expect(cached).toMatchObject({ source: 'cache', checked_at: live.checked_at, facts: live.facts });
    expect(await world.government.ledger('EAC9999103405')).toHaveLength(1);
  });

  it('knows online filings without dates', async () => {
    const { submitted_date, modified_date, ...dateless } = served('Case Was Received');
    expect([submitted_date, modified_date]).not.toContain(undefined);
    await world.government.set('IOE0912345678', dateless);
    const { facts } = await checkSeen(world, 'IOE0912345678');
    expect([facts.submitted_date, facts.modified_date]).toEqual([null, null]);
  });

  it('salvages broken JSON', async () => {
    const { facts } = await checkSeen(world, 'SRC9999132706');
    expect(facts.status_code).not.toBe('');
    expect(facts.status_description).toMatch(/USCIS|receipt|case|address/i);
    expect(facts.status_description).not.toMatch(/[<>"\\]/);
    expect(facts.submitted_date).not.toBeNull();
  });

  it('says not_found and rejected in the government’s words', async () => {
    expect(await check(world, 'EAC5999999999')).toMatchObject({
      outcome: 'not_found',
      message: expect.stringMatching(/recognize/),
    });
    expect(await check(world, 'XXX5999999999')).toMatchObject({
      outcome: 'rejected',
      message: expect.stringMatching(/formatted/),
    });
  });

  it('calls garbage unreadable, and refuses honestly where nothing can be had', async () => {
    const receipt = 'EAC9999103410';
    await world.government.fault({ mode: 'garbage', receipts: [receipt] });
    expect(await check(world, receipt)).toMatchObject({ outcome: 'unreadable' });
    for (const fault of [{ mode: 'html' }, { mode: 'truncated' }, { mode: 'status', status: 500 }]) {
      await world.government.fault({ ...fault, receipts: [receipt] });
      await expect(check(world, receipt)).rejects.toMatchObject({
        code: 'uscis_unavailable',
        retryAfterS: 30,
      });
    }
  });

  it('reads 404 in every envelope', async () => {
    const receipt = 'EAC9999103411';
    await world.government.fault({ mode: 'status', status: 404, receipts: [receipt] });
    for (let envelope = 0; envelope < 5; envelope++) {
      expect(await check(world, receipt)).toMatchObject({
        outcome: 'not_found',
        message: expect.stringMatching(/recognize/),
      });
    }
  });

  it('shares one request among those who ask at the same time', async () => {
    const receipt = 'EAC9999103416';
    // A busy machine may delay the second question.
    await world.government.fault({ mode: 'slow', delay_ms: 1_000, receipts: [receipt] });
    const replies = await Promise.all([checkSeen(world, receipt), checkSeen(world, receipt)]);
    expect(new Set(replies.map(({ status_update_id }) => status_update_id)).size).toBe(2);
    expect(await world.government.ledger(receipt)).toHaveLength(1);
  });

  it('opens the breaker after two 401, and answers immediately from then on', async () => {
    const receipt = 'EAC9999103419';
    await world.government.fault({ mode: 'status', status: 401, receipts: [receipt] });
    await expect(check(world, receipt)).rejects.toMatchObject({ code: 'uscis_unavailable' });
    expect(await world.government.ledger(receipt)).toHaveLength(2);
    const failure = await check(world, 'EAC9999103403').catch((error: unknown) => error);
    expect(failure).toMatchObject({ code: 'uscis_unavailable' });
    await operatorSees(world);
    expect((failure as { retryAfterS: number }).retryAfterS).toBeGreaterThan(50);
    expect(await world.government.ledger(receipt)).toHaveLength(2);
  });
});

it('tells an operator that USCIS has never answered, and of the last answer, whichever process got it', async () => {
  const world = await startWorld();
  try {
    await world.government.fault({ mode: 'status', status: 500 });
    const first = await world.startMonitor();
    const gateway = await connectAs(world.nats, 'gateway');
    const stateWith = (what: string, isIt: (state: MonitorState) => boolean) =>
      waitFor(
        async () => {
          const state = await gateway.request('monitor.state', {});
          return isIt(state) && state;
        },
        { what },
      );
    // Whoever asks before a process sends is refused, too, and USCIS has not been asked then.
    const failed = async () => {
      await expect(check(world, 'EAC9999103410')).rejects.toThrow();
      return (await world.government.ledger('EAC9999103410')).length > 0;
    };
    await waitFor(failed, { what: 'a request that fails' });
    const { answered_at } = await stateWith('the failure', ({ refusals }) => refusals.length > 0);
    expect(answered_at).toBeNull();
    await world.government.fault({ mode: 'none' });
    await world.stores.control.askForProbe();
    await senderAnswers(world);
    const answered = await stateWith('the answer', ({ answered_at }) => typeof answered_at === 'string');
    await first.stop();
    await world.startMonitor();
    await senderAnswers(world);
    expect((await gateway.request('monitor.state', {})).answered_at).toBe(answered.answered_at);
    await gateway.stop();
  } finally {
    await world.stop();
  }
});

/** The state of the monitor while the breaker is open. */
async function operatorSees({ nats }: World): Promise<void> {
  const gateway = await connectAs(nats, 'gateway');
  const state = await waitFor(
    async () => {
      const reply = await gateway.request('monitor.state', {});
      return reply.breaker === 'open' && reply;
    },
    { what: 'the open breaker' },
  );
  expect(state).toMatchObject({ next_probe_at: expect.any(String), held_receipts: 0, dead_letters: 0 });
  expect(state.lanes.map(({ lane }) => lane)).toEqual(['interactive', 'background']);
  expect(state.lanes[0]?.used).toBeGreaterThan(0);
  await gateway.stop();
}
