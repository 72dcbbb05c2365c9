import { freePort, waitFor } from '@casewatch/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  check,
  checkUntilSeen,
  created,
  rounds,
  senderAnswers,
  someCase,
  updatesOf,
  watch,
} from './support/case-events.ts';
import { answerOf, emptyCase, served } from './support/government.ts';
import { startWorld, type World } from './support/world.ts';

const patience = { timeoutMs: 60_000 };

const texts = {
  current_case_status_text_en: 'Case Was Received',
  current_case_status_desc_en: 'We received your case.',
};

/** What the government answers otherwise than its documents say, word for word. Each test has receipts of its own. */
describe('odd answers', () => {
  let world: World;
  let metricsPort: number;
  let last = 6_000_000_000;
  const newReceipt = () => `LIN${++last}`;

  beforeAll(async () => {
    world = await startWorld();
    metricsPort = await freePort();
    // Without a lifetime.
    await world.government.answerToken({ body: '{"access_token":"own"}' });
    await world.startMonitor({ USCIS_RATE_PER_SECOND: '150', METRICS_PORT: String(metricsPort) });
    await senderAnswers(world, patience);
  });
  afterAll(() => world.stop());

  /** On a busy machine a check may be too late for its deadline: it is asked for again. */
  const answerTo = (receipt: string) =>
    waitFor(() => check(world, receipt).catch(() => null), { ...patience, what: 'an answer to the check' });

  it('an empty 200 is a 404: for a caller, and for a case that was seen before', async () => {
    const [unknown, receipt] = [newReceipt(), newReceipt()];
    await world.government.answer(unknown, answerOf(emptyCase));
    expect(await answerTo(unknown)).toMatchObject({ outcome: 'not_found', message: null });
    await world.government.set(receipt, served('Case Was Received'));
    const reference = await watch(world, receipt);
    await rounds(world, receipt, 1);
    await world.government.answer(receipt, answerOf({ ...emptyCase, receiptNumber: receipt }));
    const changes = () => world.changes.filter((change) => change.case.id === reference.id);
    await waitFor(() => changes().length > 0, patience);
    expect(await world.stores.receipts.find(receipt)).toMatchObject({
      failures: 0,
      not_found: { message: null },
    });
    await world.government.answer(receipt, null);
    await waitFor(() => changes().length > 1, patience);
    expect(changes().map(({ state }) => state)).toEqual(['not_found', 'watched']);
    const overdue = world.overdue.filter((row) => row.case.id === reference.id);
    expect([updatesOf(world, reference), overdue]).toEqual([[], []]);
  });

  it('an empty 200 is followed by the first state, which is told', async () => {
    const receipt = newReceipt();
    await world.government.answer(receipt, answerOf({}));
    const reference = someCase(receipt);
    await world.publish('case.created', created(reference, null, 'not_found'));
    await rounds(world, receipt, 1);
    await world.government.answer(receipt, answerOf({ ...texts, receiptNumber: receipt }));
    await waitFor(() => updatesOf(world, reference).length > 0, patience);
    expect(updatesOf(world, reference)).toMatchObject([
      { skip_reason: null, status_update: { kind: 'status' } },
    ]);
  });

  it('empty 200s of many receipts that were seen before open the breaker', async () => {
    await using own = await startWorld();
    await own.startMonitor();
    await senderAnswers(own, patience);
    const receipts = Array.from({ length: 14 }, newReceipt);
    for (const receipt of receipts) await own.government.set(receipt, served('Case Was Received'));
    for (const receipt of receipts) await watch(own, receipt);
    const rows = () => Promise.all(receipts.map((receipt) => own.stores.receipts.find(receipt)));
    await waitFor(async () => (await rows()).every((row) => row?.watchers === 1 && row.facts), patience);
    for (const receipt of receipts) await own.government.answer(receipt, answerOf(emptyCase));
    await waitFor(async () => (await own.stores.control.read()).health?.breaker === 'open', patience);
    expect((await rows()).filter((row) => row?.not_found).length).toBeLessThanOrEqual(10);
    expect((await rows()).every((row) => row?.state === 'watched')).toBe(true);
  });

  it('an odd optional field costs that field alone, and is counted', async () => {
    const receipt = newReceipt();
    const odd = {
      ...texts,
      receiptNumber: receipt,
      formType: 130,
      submittedDate: '1693924092000',
      modifiedDate: 'soon',
      hist_case_status: [null, { date: '11-02-2026 10:00:00', completed_text_en: 'Fees Were Waived' }],
    };
    await world.government.answer(receipt, answerOf(odd));
    const { facts } = await checkUntilSeen(world, receipt);
    expect(facts).toMatchObject({
      status_code: 'Case Was Received',
      form_type: null,
      submitted_date: '2023-09-05T14:28:12.000Z',
      modified_date: null,
      history: [{ date: '2026-11-02', status_code: 'Fees Were Waived' }],
    });
    const metrics = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text();
    const counted = [...metrics.matchAll(/^monitor_unread_fields_total\{field="(\w+)"\} \d+$/gm)].map(
      ([, field]) => field,
    );
    expect(counted.toSorted()).toEqual(['expires_in', 'formType', 'hist_case_status', 'modifiedDate']);
  });

  it('a date in another form, invisible characters and “Form” are no change', async () => {
    const receipt = newReceipt();
    const plain = {
      ...texts,
      receiptNumber: receipt,
      formType: 'I-130',
      modifiedDate: '11-02-2026 10:00:00',
      hist_case_status: [{ date: '2026-11-01', completed_text_en: 'Fees Were Waived' }],
    };
    await world.government.answer(receipt, answerOf(plain));
    const reference = await watch(world, receipt);
    await rounds(world, receipt, 1);
    const before = await world.stores.receipts.find(receipt);
    const otherwise = {
      ...plain,
      formType: 'Form I\u2011130',
      modifiedDate: Date.parse('2026-11-02T10:00:00.000Z'),
      current_case_status_text_en: 'Case\u00a0Was Re\u00adceived\u202e',
      current_case_status_desc_en: '\ufeffWe received\u200b your&nbsp;case.',
      hist_case_status: [{ date: '11/01/2026', completed_text_en: 'Fees Were\u200b Waived' }],
    };
    await world.government.answer(receipt, answerOf(otherwise));
    await rounds(world, receipt, 2);
    const after = await world.stores.receipts.find(receipt);
    expect([after?.facts, after?.facts_hash, after?.revision]).toEqual([
      before?.facts,
      before?.facts_hash,
      before?.revision,
    ]);
    expect(updatesOf(world, reference)).toEqual([]);
  });

  it('words that say nothing are told to no one', async () => {
    const receipt = newReceipt();
    await world.government.answer(receipt, answerOf({ ...texts, receiptNumber: receipt }));
    const reference = await watch(world, receipt);
    await rounds(world, receipt, 1);
    for (const words of ['null', 'N/A', '…']) {
      await world.government.answer(
        receipt,
        answerOf({ ...texts, receiptNumber: receipt, current_case_status_text_en: words }),
      );
      expect(await answerTo(receipt)).toMatchObject({ outcome: 'unreadable' });
    }
    expect(updatesOf(world, reference)).toEqual([]);
    expect((await world.stores.receipts.find(receipt))?.facts?.status_code).toBe('Case Was Received');
  });
});
