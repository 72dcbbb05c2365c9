import { waitFor } from '@casewatch/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { remindersBefore } from '../../src/firm/take-dates.ts';
import { aFirm, aMember, urgentChange } from '../support/firm.ts';
import { anUpdate, aUser } from '../support/fixtures.ts';
import { shiftedClock } from '../support/shifted-clock.ts';
import { startTestNotifier, type TestNotifier } from '../support/start-notifier.ts';

type Row = { _id: string; due_at: Date | null } & Record<string, unknown>;

const dayMs = 24 * 60 * 60 * 1_000;
const ofFirm = 'America/Chicago';
/** A day of the firm: in the evening its day is not the one of UTC any more. */
const inDays = (days: number, timeZone = ofFirm) => {
  const today = new Intl.DateTimeFormat('en-CA', { timeZone }).format(new Date());
  return new Date(Date.parse(today) + days * dayMs).toISOString().slice(0, 10);
};

describe('the reminders before a day', () => {
  const at = (time: string, date: string, timeZone = 'America/New_York') =>
    remindersBefore(date, { setAt: new Date(time), timeZone }).map(({ days, at }) => [
      days,
      at.toISOString(),
    ]);

  it('are four, at 08:00 on the clocks of the firm, also over both changes of clocks', () => {
    expect(at('2026-09-01T00:00:00Z', '2026-11-08')).toEqual([
      [30, '2026-10-09T12:00:00.000Z'],
      [14, '2026-10-25T12:00:00.000Z'],
      [7, '2026-11-01T13:00:00.000Z'],
      [2, '2026-11-06T13:00:00.000Z'],
    ]);
    expect(at('2027-01-01T00:00:00Z', '2027-03-16').map(([, time]) => time)).toEqual([
      '2027-02-14T13:00:00.000Z',
      '2027-03-02T13:00:00.000Z',
      '2027-03-09T13:00:00.000Z',
      '2027-03-14T12:00:00.000Z',
    ]);
  });

  it('count the 29th of February where there is one', () => {
    expect(at('2028-02-20T00:00:00Z', '2028-03-02', 'UTC')).toEqual([
      [7, '2028-02-24T08:00:00.000Z'],
      [2, '2028-02-29T08:00:00.000Z'],
    ]);
    expect(at('2027-02-20T00:00:00Z', '2027-03-02', 'UTC')).toEqual([
      [7, '2027-02-23T08:00:00.000Z'],
      [2, '2027-02-28T08:00:00.000Z'],
    ]);
  });

  it('are not made up for once they have passed: not at the same moment, and not for a day in the past', () => {
    expect(at('2026-11-01T13:00:00Z', '2026-11-08').map(([days]) => days)).toEqual([2]);
    expect(at('2026-11-01T12:59:59Z', '2026-11-08').map(([days]) => days)).toEqual([7, 2]);
    expect(at('2026-11-07T13:00:00Z', '2026-11-08')).toEqual([]);
    expect(at('2026-12-07T13:00:00Z', '2026-11-08')).toEqual([]);
  });
});

describe('a day for an answer', () => {
  let notifier: TestNotifier;
  let next = 3_000;
  beforeAll(async () => {
    notifier = await startTestNotifier({ NOTIFY_DIGEST_WINDOW_S: '0' });
  });
  afterAll(() => notifier.stop());
  beforeEach(() => {
    notifier.away.clear();
    next += 1;
    notifier.users.set(next, aUser(next, { notify_by_email: false, notify_by_whatsapp: false }));
    notifier.firms.set(1, aFirm([aMember(next)], { time_zone: ofFirm }));
  });

  const news = () => notifier.db.collection<Row>('firm_news');
  const idsOf = async (caseId: number) =>
    (await news().find({ case_id: caseId, kind: 'reminder' }).sort({ due_at: 1 }).toArray()).map(
      ({ _id }) => _id,
    );
  const mails = () => notifier.mails(`member-${next}@firm.example`);
  const reference = () => ({ ...anUpdate(next, next).case });
  let version = 1;
  async function setDay(date: string | null, over: { version?: number } = {}) {
    version += 1;
    const respond_by = date === null ? null : ({ date, source: 'notice' } as const);
    const state = { watched: true, active: true, version, assignee_id: null };
    await notifier.cases.publish('case.updated', { case: reference(), ...state, respond_by, ...over });
  }
  /** What cases answers when a reminder is due. */
  const holds = (date: string | null, respond_done = false) =>
    notifier.changedCases.set(next, {
      respond_by: date === null ? null : { date, source: 'notice' },
      respond_done,
    });
  const planned = async (count: number) =>
    await waitFor(async () => (await idsOf(next)).length >= count && (await idsOf(next)), {
      what: `${count} reminders`,
      timeoutMs: 30_000,
    });
  const makeDue = async (id: string) => {
    await news().updateOne({ _id: id }, { $set: { due_at: new Date(Date.now() - 1_000) } });
  };
  const isDecided = async (id: string) =>
    await waitFor(async () => (await news().findOne({ _id: id, due_at: null })) !== null, {
      what: `the end of ${id}`,
      timeoutMs: 30_000,
    });
  const settled = async (id: string) => {
    await isDecided(id);
    const open = { news_id: id, status: 'pending' };
    await waitFor(async () => (await notifier.db.collection('alerts').countDocuments(open)) === 0, {
      what: `the mails of ${id}`,
      timeoutMs: 30_000,
    });
  };

  it('gets a reminder row for each of 30, 14, 7 and 2 days, at 08:00 of the firm, once', async () => {
    const day = inDays(40);
    await setDay(day);
    await setDay(day);
    const ids = await planned(4);
    expect(ids).toEqual([30, 14, 7, 2].map((days) => `case:${next}:due:${day}:${days}`));
    const row = await news().findOne({ _id: ids[2] ?? '' });
    const clock = {
      timeZone: 'America/Chicago',
      hourCycle: 'h23',
      hour: '2-digit',
      minute: '2-digit',
    } as const;
    expect(row?.due_at?.toLocaleTimeString('en-GB', clock)).toBe('08:00');
    expect(row).toMatchObject({ kind: 'reminder', due: { date: day, days: 7 }, urgent: true, partner_id: 1 });
  });

  it('is planned without identity, in our own zone, so that none is missing', async () => {
    notifier.away.add('identity.firm');
    const day = inDays(40);
    await setDay(day);
    const [id] = await planned(4);
    const row = await news().findOne({ _id: id ?? '' });
    const clock = {
      timeZone: 'America/New_York',
      hourCycle: 'h23',
      hour: '2-digit',
      minute: '2-digit',
    } as const;
    expect(row?.due_at?.toLocaleTimeString('en-GB', clock)).toBe('08:00');
  });

  it('comes with a status, with a new case, and not with a direct user or a day in the past', async () => {
    const update = anUpdate(next, next, {
      ...urgentChange,
      status_description: `On ${new Date().toLocaleDateString('en-US', { dateStyle: 'long', timeZone: 'UTC' })}, we sent a request for initial evidence.`,
    });
    await notifier.monitor.publish('status.updated', update);
    expect(await planned(4)).toHaveLength(4);
    next += 1;
    const first = { watched: true, active: true, version: 1, first_check: 'seen', baseline: null } as const;
    const respond_by = { date: inDays(10), source: 'estimate' } as const;
    await notifier.cases.publish('case.created', { case: reference(), ...first, respond_by });
    expect((await planned(2)).map((id) => id.split(':').at(-1))).toEqual(['7', '2']);
    const direct = { ...reference(), id: next + 500, partner_id: null };
    await notifier.cases.publish('case.created', { case: direct, ...first, respond_by });
    const past = { ...reference(), id: next + 501 };
    const gone = { date: inDays(-3), source: 'estimate' } as const;
    await notifier.cases.publish('case.created', { case: past, ...first, respond_by: gone });
    // Events of one stream come in their order.
    const last = { ...reference(), id: next + 502 };
    await notifier.cases.publish('case.created', { case: last, ...first, respond_by });
    await waitFor(async () => (await idsOf(last.id)).length === 2, { timeoutMs: 30_000 });
    expect(await idsOf(direct.id)).toEqual([]);
    expect(await idsOf(past.id)).toEqual([]);
  });

  it('is told once when it is due, by however many notifiers, after a restart, and with clocks that are wrong', async () => {
    const day = inDays(7);
    holds(day);
    await setDay(inDays(40));
    await planned(4);
    await setDay(day);
    const id = `case:${next}:due:${day}:2`;
    await waitFor(async () => (await idsOf(next)).includes(id), { timeoutMs: 30_000 });
    await notifier.stopService();
    // The one of 7 days, as it would be if it had been planned before.
    const row = await news().findOne({ _id: id });
    if (row === null) throw new Error('no row');
    const seven = `case:${next}:due:${day}:7`;
    const due = { due: { date: day, days: 7 }, due_at: new Date(Date.now() - 60_000) };
    await news().deleteOne({ _id: seven });
    await news().insertOne({ ...row, _id: seven, ...due });
    await notifier.startService(shiftedClock(60_000));
    const replica = await notifier.startReplica(shiftedClock(-60_000));
    try {
      await settled(seven);
      await setDay(day);
      await setDay(day);
      await setDay(inDays(40));
      const sent = await waitFor(async () => (await mails()).length > 0 && (await mails()), {
        timeoutMs: 30_000,
      });
      expect(sent).toHaveLength(1);
      expect(sent[0]?.text).toMatch(/Answer due in 7 days: /);
      expect(sent[0]?.subject).not.toMatch(/due|answer|FLOW|\d{4}/i);
    } finally {
      await replica.stop();
    }
    expect(await mails()).toHaveLength(1);
  });

  it('is told of by the reminder that came due while its event waited, by each way on which a day comes', async () => {
    // 08:00 has been once since the event, today or yesterday.
    const waited = new Date(Date.now() - dayMs);
    const hour = Number(
      new Intl.DateTimeFormat('en-GB', { timeZone: ofFirm, hour: '2-digit', hourCycle: 'h23' }).format(),
    );
    const day = inDays(hour >= 8 ? 7 : 6);
    const first = { watched: true, active: true, version: 1, first_check: 'seen', baseline: null } as const;
    const state = { watched: true, active: true, version: 2, assignee_id: null };
    const respond_by = { date: day, source: 'estimate' } as const;
    holds(day);
    await notifier.cases.publish(
      'case.created',
      { case: reference(), ...first, respond_by },
      undefined,
      waited,
    );
    const seven = `case:${next}:due:${day}:7`;
    expect(await planned(2)).toEqual([seven, `case:${next}:due:${day}:2`]);
    await settled(seven);
    expect((await mails())[0]?.text).toMatch(/Answer due in [67] days: /);
    const other = { ...reference(), id: next + 800 };
    await notifier.cases.publish('case.updated', { case: other, ...state, respond_by }, undefined, waited);
    await waitFor(async () => (await idsOf(other.id)).length === 2, { timeoutMs: 30_000 });
    // An event of the future, by a clock that is fast, leaves none out.
    const ahead = { ...reference(), id: next + 801 };
    const later = new Date(Date.now() + 100 * dayMs);
    await notifier.cases.publish('case.updated', { case: ahead, ...state, respond_by }, undefined, later);
    await waitFor(async () => (await idsOf(ahead.id)).length === 1, { timeoutMs: 30_000 });
    expect(await mails()).toHaveLength(1);
  });

  it('that was moved tells of the new one alone, also where the events come in the wrong order', async () => {
    const [old, moved] = [inDays(60), inDays(7)];
    holds(moved);
    await setDay(moved);
    await setDay(old, { version: 1 });
    await waitFor(async () => (await idsOf(next)).length >= 5, { timeoutMs: 30_000 });
    for (const days of [30, 14, 7, 2]) await makeDue(`case:${next}:due:${old}:${days}`);
    for (const days of [30, 14, 7, 2]) await settled(`case:${next}:due:${old}:${days}`);
    expect(await mails()).toEqual([]);
    // Back to the old one: what is still ahead of it is told.
    holds(old);
    await makeDue(`case:${next}:due:${moved}:2`);
    await settled(`case:${next}:due:${moved}:2`);
    expect(await mails()).toEqual([]);
  });

  it('is not told of once the answer is sent or another status came, and again of the next one if that is undone', async () => {
    const day = inDays(6);
    await setDay(inDays(40));
    await setDay(day);
    const id = (days: number) => `case:${next}:due:${day}:${days}`;
    await waitFor(async () => (await idsOf(next)).includes(id(2)), { timeoutMs: 30_000 });
    const template = await news().findOne({ _id: id(2) });
    if (template === null) throw new Error('no row');
    const insertDue = async (days: number) => {
      const due_at = new Date(Date.now() - 1_000);
      await news().insertOne({ ...template, _id: id(days), due: { date: day, days }, due_at });
    };
    holds(day, true);
    await insertDue(7);
    await settled(id(7));
    expect(await mails()).toEqual([]);
    holds(null);
    await insertDue(6);
    await settled(id(6));
    expect(await mails()).toEqual([]);
    holds(day, false);
    await setDay(day);
    await insertDue(5);
    await settled(id(5));
    const sent = await waitFor(async () => (await mails()).length > 0 && (await mails()), {
      timeoutMs: 30_000,
    });
    expect(sent).toHaveLength(1);
    expect((await news().findOne({ _id: id(7) }))?.due_at).toBeNull();
  });

  it('of which two reminders are late is told of once', async () => {
    const day = inDays(1);
    holds(day);
    await setDay(inDays(40));
    const [any] = await planned(4);
    const template = await news().findOne({ _id: any ?? '' });
    if (template === null) throw new Error('no row');
    const due_at = new Date(Date.now() - 1_000);
    const rows = [7, 2].map((days) => ({
      ...template,
      _id: `case:${next}:due:${day}:${days}`,
      due: { date: day, days },
      due_at,
    }));
    await news().insertMany(rows);
    for (const { _id } of rows) await settled(_id);
    const sent = await waitFor(async () => (await mails()).length > 0 && (await mails()), {
      timeoutMs: 30_000,
    });
    expect(sent).toHaveLength(1);
    expect(sent[0]?.text.match(/Answer due/g)).toHaveLength(1);
  });

  it('is told of after the quiet hours of the member, also where they began while its mail waited', async () => {
    const clock = (ms: number) => new Date(Date.now() + ms).toISOString().slice(11, 16);
    const hourMs = 60 * 60 * 1_000;
    const quiet_hours = { from: clock(-hourMs), to: clock(hourMs) };
    // One zone for all: the days of a mail are counted on the member's clock.
    const inHours = (hours: typeof quiet_hours | null) =>
      aFirm([aMember(next, { alerts: { quiet_hours: hours }, time_zone: 'UTC' })], { time_zone: 'UTC' });
    const alertOf = (id: string) => notifier.db.collection<Row>('alerts').findOne({ _id: `${id}:${next}` });
    const endOf = (row: Row | null) => row?.due_at?.toISOString().slice(11, 16);
    const day = inDays(7, 'UTC');
    holds(day);
    await setDay(inDays(40));
    const [any] = await planned(4);
    const template = await news().findOne({ _id: any ?? '' });
    if (template === null) throw new Error('no row');
    const insertDue = async (days: number) => {
      const [_id, due_at] = [`case:${next}:due:${day}:${days}`, new Date(Date.now() - 1_000)];
      await news().insertOne({ ...template, _id, due: { date: day, days }, due_at });
      await isDecided(_id);
      return _id;
    };
    notifier.firms.set(1, inHours(quiet_hours));
    const held = await insertDue(7);
    expect(endOf(await alertOf(held))).toBe(quiet_hours.to);
    // One that was due outside of the quiet hours, whose mail waits until they have begun.
    notifier.firms.set(1, inHours(null));
    notifier.away.add('identity.people');
    const waiting = await insertDue(6);
    const mailsOf = () => notifier.db.collection<Row>('member_mails');
    const isBegun = { staff_id: next, status: 'pending', fence: { $gt: 0 } };
    await waitFor(() => mailsOf().findOne(isBegun), { what: 'a mail that waits', timeoutMs: 30_000 });
    notifier.firms.set(1, inHours(quiet_hours));
    notifier.away.clear();
    const isHeld = { staff_id: next, status: 'pending', last_error: 'quiet_hours' };
    const mail = await waitFor(() => mailsOf().findOne(isHeld), {
      what: 'a mail that waits for the end of the quiet hours',
      timeoutMs: 30_000,
    });
    expect(endOf(mail)).toBe(quiet_hours.to);
    expect(await mails()).toEqual([]);
    // Their end.
    notifier.firms.set(1, inHours(null));
    const now = { $set: { due_at: new Date() } };
    await mailsOf().updateOne({ _id: mail._id }, now);
    await notifier.db.collection<Row>('alerts').updateOne({ _id: `${held}:${next}` }, now);
    for (const id of [held, waiting]) await settled(id);
    const told = (await mails()).map(({ text }) => text).join();
    expect(told.match(/Answer due in 7 days/g)).toHaveLength(2);
  });

  it('goes with the person', async () => {
    await setDay(inDays(40));
    await planned(4);
    await notifier.identity.publish('user.deleted', {
      user_id: next,
      partner_id: 1,
      version: 2,
    } as never);
    await waitFor(async () => (await idsOf(next)).length === 0, { timeoutMs: 30_000 });
    await setDay(inDays(41));
    await setDay(inDays(42));
    const marker = { ...reference(), id: next + 700, user_id: next + 700 };
    const state = { watched: true, active: true, version: 1, assignee_id: null };
    const respond_by = { date: inDays(40), source: 'notice' } as const;
    await notifier.cases.publish('case.updated', { case: marker, ...state, respond_by });
    await waitFor(async () => (await idsOf(marker.id)).length === 4, { timeoutMs: 30_000 });
    expect(await idsOf(next)).toEqual([]);
  });
});
