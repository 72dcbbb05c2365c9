import { randomUUID } from 'node:crypto';
import { waitFor } from '@casewatch/testing';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import {
  baselineOf,
  check,
  checkSeen,
  created,
  rounds,
  senderAnswers,
  someCase,
  updatesOf,
  watch,
} from './support/case-events.ts';
import { served } from './support/government.ts';
import { startWorld, type World } from './support/world.ts';

/** Each test has receipts of its own. One test sets faults: there is one fault at a time. */

describe('watching', () => {
  let world: World;
  let last = 3_000_000_000;
  const newReceipt = () => `EAC${++last}`;

  beforeAll(async () => {
    world = await startWorld();
    await world.startMonitor();
    await senderAnswers(world);
  });
  afterEach(() => world.government.fault({ mode: 'none' }));
  afterAll(() => world.stop());

  it('tells every watching case of a change once, at one request per round', async () => {
    const [receipt, single] = [newReceipt(), newReceipt()];
    const serveBoth = async (title: string) => {
      for (const number of [receipt, single]) await world.government.set(number, served(title));
    };
    await serveBoth('Case Was Received');
    const [one, other] = [await watch(world, receipt), await watch(world, receipt)];
    const alone = await watch(world, single);
    await rounds(world, receipt, 1);
    await rounds(world, single, 1);
    await serveBoth('Interview Was Scheduled');
    await waitFor(() => [one, other, alone].every((reference) => updatesOf(world, reference).length > 0));
    await rounds(world, receipt, 3);
    for (const reference of [one, other]) {
      expect(updatesOf(world, reference)).toMatchObject([
        {
          case: reference,
          skip_reason: null,
          previous_status_code: 'Case Was Received',
          spanish_source: 'uscis',
          status_update: { kind: 'status', status_code: 'Interview Was Scheduled', observation: 2 },
        },
      ]);
    }
    const ids = [one, other].map((reference) => updatesOf(world, reference)[0]?.status_update.id);
    expect(new Set(ids).size).toBe(2);
    // Two cases with requests of their own would have twice the requests of a receipt with one case and the same status.
    const asked = async (number: string) => (await world.government.ledger(number)).length;
    const before = [await asked(receipt), await asked(single)] as const;
    await rounds(world, single, 10);
    expect((await asked(receipt)) - before[0]).toBeLessThan(1.5 * ((await asked(single)) - before[1]));
  });

  it('says nothing where the same content is served again, or only Spanish differs', async () => {
    const receipt = newReceipt();
    const same = served('Case Was Received', 'We got  your <b>form</b> &amp; fee.');
    await world.government.set(receipt, same);
    const reference = await watch(world, receipt);
    await world.government.set(receipt, { ...same, desc_en: '<p>We got your form & fee.</p>' });
    await rounds(world, receipt, 2);
    expect(updatesOf(world, reference)).toEqual([]);
    await world.government.set(receipt, { ...same, text_es: 'Otro' });
    await waitFor(() => updatesOf(world, reference).length > 0);
    expect(updatesOf(world, reference)).toMatchObject([
      { skip_reason: 'no_content_change', status_update: { kind: 'translation', status_code_es: 'Otro' } },
    ]);
  });

  it('tells at registration what changed between the check and case.created', async () => {
    const receipt = newReceipt();
    await world.government.set(receipt, served('Case Was Received'));
    const first = await watch(world, receipt);
    const late = someCase(receipt);
    const baseline = baselineOf(await checkSeen(world, receipt));
    await world.government.set(receipt, served('Case Was Approved'));
    await waitFor(() => updatesOf(world, first).length > 0);
    await world.publish('case.created', created(late, baseline));
    const [update] = await waitFor(() => updatesOf(world, late).length > 0 && updatesOf(world, late));
    expect(update).toMatchObject({
      skip_reason: null,
      previous_status_code: 'Case Was Received',
      status_update: { kind: 'status', status_code: 'Case Was Approved', observation: 2 },
    });
    await rounds(world, receipt, 2);
    expect(updatesOf(world, late)).toHaveLength(1);
  });

  it('tells the first state after a 404, and keeps a deferred first state to itself', async () => {
    const [unknown, deferred] = [newReceipt(), newReceipt()];
    expect(await check(world, unknown)).toMatchObject({
      outcome: 'not_found',
      message: expect.stringMatching(/recognize/),
    });
    const [one, other] = [someCase(unknown), someCase(deferred)];
    await world.government.set(deferred, served('Case Was Received'));
    await world.publish('case.created', created(one, null, 'not_found'));
    await world.publish('case.created', created(other, null, 'deferred'));
    await rounds(world, unknown, 1);
    await world.government.set(unknown, served('Case Was Received'));
    await waitFor(() => updatesOf(world, one).length > 0 && updatesOf(world, other).length > 0);
    expect(updatesOf(world, one)).toMatchObject([
      { skip_reason: null, previous_status_code: null, status_update: { kind: 'status', observation: 1 } },
    ]);
    expect(updatesOf(world, other)).toMatchObject([
      { skip_reason: 'baseline', status_update: { kind: 'baseline', observation: 1 } },
    ]);
  });

  it('ends with case.updated, and tells what was missed when it begins again', async () => {
    const receipt = newReceipt();
    await world.government.set(receipt, served('Case Was Received'));
    const reference = await watch(world, receipt);
    await rounds(world, receipt, 1);
    const off = {
      case: reference,
      watched: false,
      active: false,
      version: 2,
      assignee_id: null,
      respond_by: null,
    };
    await world.publish('case.updated', off);
    await waitFor(async () => (await world.stores.watches.find(reference.id))?.active === false);
    expect(await world.stores.receipts.find(receipt)).toMatchObject({ watchers: 0, next_check_at: null });
    await world.government.set(receipt, served('Case Was Approved'));
    await world.publish('case.updated', { ...off, watched: true, active: true, version: 3 });
    await waitFor(() => updatesOf(world, reference).length > 0);
    await rounds(world, receipt, 1);
    expect(updatesOf(world, reference)).toMatchObject([
      { skip_reason: null, previous_status_code: 'Case Was Received', status_update: { observation: 2 } },
    ]);
  });

  it('remembers what a case knows that is not watched from the beginning', async () => {
    const receipt = newReceipt();
    await world.government.set(receipt, served('Case Was Received'));
    const reference = someCase(receipt);
    const baseline = baselineOf(await checkSeen(world, receipt));
    await world.publish('case.created', { ...created(reference, baseline), watched: false });
    await world.publish('case.updated', {
      case: reference,
      watched: true,
      active: true,
      version: 2,
      assignee_id: null,
      respond_by: null,
    });
    await rounds(world, receipt, 1);
    expect(updatesOf(world, reference)).toEqual([]);
    await world.government.set(receipt, served('Case Was Approved'));
    await waitFor(() => updatesOf(world, reference).length > 0);
    expect(updatesOf(world, reference)).toMatchObject([
      { skip_reason: null, status_update: { observation: 2 } },
    ]);
  });

  it('waits for case.created with the baseline, also after an outage of hours', async () => {
    const receipt = newReceipt();
    await world.government.set(receipt, served('Case Was Received'));
    const reference = someCase(receipt);
    const baseline = baselineOf(await checkSeen(world, receipt));
    const id = randomUUID();
    const event = {
      ...{ specversion: '1.0', id, source: '/casewatch/cases', type: 'case.updated' },
      ...{ subject: `case/${reference.id}`, datacontenttype: 'application/json' },
      time: new Date(Date.now() - 3 * 60 * 60_000).toISOString(),
      data: { case: reference, watched: true, active: true, version: 2, assignee_id: null, respond_by: null },
    };
    await world.cases.bus.connection.request('case.updated', JSON.stringify(event));
    const rows = world.monitorDb.collection<{ _id: string; kind: string }>('failed_events');
    const row = await waitFor(async () => await rows.findOne({ _id: id }), { what: 'the waiting event' });
    expect(row.kind).toBe('not yet');
    await world.publish('case.created', created(reference, baseline));
    await waitFor(async () => (await world.stores.watches.find(reference.id))?.version === 2, {
      what: 'the newer version',
      timeoutMs: 60_000,
    });
    await rounds(world, receipt, 1);
    expect(updatesOf(world, reference)).toEqual([]);
  });

  it('forgets a deleted case, whatever arrives later', async () => {
    const receipt = newReceipt();
    await world.government.set(receipt, served('Case Was Received'));
    const reference = await watch(world, receipt);
    await rounds(world, receipt, 1);
    await world.publish('case.deleted', { case: reference, version: 5 });
    await world.publish('case.updated', {
      case: reference,
      watched: true,
      active: true,
      version: 4,
      assignee_id: null,
      respond_by: null,
    });
    // Until the monitor knows of the deletion, a change is told.
    await waitFor(async () => (await world.stores.watches.find(reference.id))?.deleted_at);
    const marker = someCase(receipt);
    await world.government.set(receipt, served('Case Was Approved'));
    await world.publish('case.created', created(marker, null, 'deferred'));
    await waitFor(() => updatesOf(world, marker).length > 0);
    await rounds(world, receipt, 2);
    expect(updatesOf(world, reference)).toEqual([]);
  });

  it('gives an update to a case that was deactivated since, without notifying its user', async () => {
    const receipt = newReceipt();
    await world.government.set(receipt, served('Case Was Received'));
    const [ended, marker] = [await watch(world, receipt), await watch(world, receipt)];
    await waitFor(async () => (await world.stores.receipts.find(receipt))?.watchers === 2);
    await rounds(world, receipt, 1);
    const stored = await world.stores.watches.find(ended.id);
    const revision = (await world.stores.receipts.find(receipt))?.revision ?? 0;
    await world.publish('case.updated', {
      case: ended,
      watched: false,
      active: false,
      version: 2,
      assignee_id: null,
      respond_by: null,
    });
    await waitFor(async () => (await world.stores.watches.find(ended.id))?.active === false);
    expect(await world.stores.watches.find(ended.id)).toMatchObject({
      last_observation: stored?.last_observation,
      ended_revision: revision + 1,
    });
    await world.government.set(receipt, served('Case Was Approved'));
    await waitFor(() => updatesOf(world, marker).length > 0);
    // The change came after the end: the case learns it when it begins again.
    expect(updatesOf(world, ended)).toEqual([]);
  });

  it('announces when a case was checked and when it will be again', async () => {
    const receipt = newReceipt();
    await world.government.set(receipt, served('Case Was Received'));
    const { id } = await watch(world, receipt);
    const announced = await waitFor(() => world.checked.find(({ case_ids }) => case_ids.includes(id)));
    expect(Date.parse(announced.next_check_at ?? '')).toBeGreaterThan(Date.parse(announced.checked_at));
  });

  it('stores with each check when the next one is expected', async () => {
    const receipt = newReceipt();
    await world.government.set(receipt, served('Case Was Received'));
    await watch(world, receipt);
    await rounds(world, receipt, 2);
    const { checked_at, next_check_at } = (await world.stores.receipts.find(receipt)) ?? {};
    expect(next_check_at?.getTime()).toBeGreaterThan(checked_at?.getTime() ?? Number.POSITIVE_INFINITY);
  });

  it('announces a check to every case that watches the receipt', async () => {
    const receipt = newReceipt();
    await world.government.set(receipt, served('Case Was Received'));
    // Not to be checked before both watch it.
    await world.government.fault({ mode: 'html', receipts: [receipt] });
    const both = [someCase(receipt), someCase(receipt)];
    for (const reference of both) await world.publish('case.created', created(reference, null, 'deferred'));
    await waitFor(async () => (await world.stores.receipts.find(receipt))?.watchers === 2);
    await world.government.fault({ mode: 'none' });
    const ids = both.map(({ id }) => id);
    const announced = await waitFor(() =>
      world.checked.find(({ case_ids }) => ids.some((id) => case_ids.includes(id))),
    );
    expect([...announced.case_ids].sort()).toEqual([...ids].sort());
  });
});
