import { waitFor } from '@casewatch/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startWorld, type World } from '../support/delivery-world.ts';
import { caseReply, observed, reference, statusUpdated, userEmail, userOf } from '../support/fixtures.ts';
import { read, type Told } from '../support/told.ts';

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.stop());

/** A last event, so that all before it have come: deletions need no answer of anybody. */
async function marker(partnerId: number, hook: string, userId: number): Promise<Told[]> {
  await world.siblings.identity.publish('user.deleted', {
    user_id: userId,
    partner_id: partnerId,
    version: 9,
  });
  return await waitFor(async () => {
    const told = (await world.receiver.calls(hook)).map(read);
    const isLast = ({ type, data }: Told) =>
      type === 'user.deleted' && (data.user as { id: number }).id === userId;
    return told.some(isLast) && told;
  });
}

describe('intake', () => {
  it('sends the case, the status update and the status before it', async () => {
    await world.subscribe(1, 'status', { events: ['case.status_updated'] });
    const entry = {
      date: '2026-11-20',
      status_code: 'We sent it.',
      status_code_es: null,
      status_code_pt: null,
    };
    const update = { ...observed(11, 2), changes: ['history' as const], history: [entry] };
    // USCIS touched it before the event was told.
    const touched_at = '2026-11-22T10:00:00.000Z';
    const known = caseReply({ id: 1, userId: 1, partnerId: 1, latest: { ...update, touched_at } });
    world.siblings.knownCases.set(1, known);
    world.siblings.knownUsers.set(1, userOf(1, 1));
    await world.siblings.monitor.publish('status.updated', {
      ...statusUpdated(known, update),
      spanish_source: 'uscis',
      new_history: [entry],
    });
    const [call] = await world.arrived('status', 1);
    const detail_message = expect.stringMatching(/^USCIS (aprobó|aprueba|ha aprobado)|caso/i);
    expect(read(call)).toEqual({
      id: expect.stringMatching(/^evt_[0-9a-f-]{36}$/),
      type: 'case.status_updated',
      timestamp: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
      data: {
        case: {
          ...known.case,
          user_id: 1,
          latest_update: { ...known.case.latest_update, detail_message },
        },
        status_update: { ...update, detail_message, respond_by: null, spanish_source: 'uscis', touched_at },
        previous_status_code: 'Case Was Received',
        new_history: [entry],
      },
    });
  });

  it('shows the newest update of a case that has changed again', async () => {
    await world.subscribe(12, 'newer', { events: ['case.status_updated'] });
    const newest = observed(122, 3, 'Case Was Received');
    const known = caseReply({ id: 12, userId: 12, partnerId: 12, latest: newest });
    world.siblings.knownCases.set(12, known);
    await world.siblings.monitor.publish('status.updated', statusUpdated(known, observed(121, 2)));
    const [call] = await world.arrived('newer', 1);
    expect(read(call).data).toMatchObject({
      case: { latest_update: { id: 122, status_code: 'Case Was Received' } },
      status_update: { id: 121, status_code: 'Case Was Approved' },
    });
  });

  it('waits until the case shows what the event tells', async () => {
    await world.subscribe(2, 'behind');
    const update = observed(22, 3);
    const behind = caseReply({
      id: 2,
      userId: 2,
      partnerId: 2,
      latest: observed(21, 2, 'Case Was Received'),
    });
    world.siblings.knownCases.set(2, behind);
    let asked = 0;
    const known = caseReply({ id: 2, userId: 2, partnerId: 2, latest: update });
    const get = world.siblings.knownCases.get.bind(world.siblings.knownCases);
    world.siblings.knownCases.get = (id) => {
      if (id === 2 && ++asked > 3) world.siblings.knownCases.set(2, known);
      return get(id);
    };
    await world.siblings.monitor.publish('status.updated', statusUpdated(known, update));
    const [call] = await world.arrived('behind', 1);
    expect(read(call).data.case).toMatchObject({ update_count: 3, latest_update: { id: 22 } });
    expect(asked).toBeGreaterThan(3);
  });

  it('tells of nothing that people are not told of', async () => {
    await world.subscribe(3, 'quiet');
    const known = caseReply({ id: 3, userId: 3, partnerId: 3, latest: observed(35, 9) });
    world.siblings.knownCases.set(3, known);
    const { monitor } = world.siblings;
    const baseline = { ...observed(31, 1), kind: 'baseline' as const };
    const flap = { ...observed(32, 2), kind: 'flap' as const };
    const words = { ...observed(33, 3), kind: 'translation' as const };
    await monitor.publish('status.updated', { ...statusUpdated(known, baseline), skip_reason: 'baseline' });
    await monitor.publish('status.updated', { ...statusUpdated(known, flap), skip_reason: 'flap' });
    await monitor.publish('status.updated', {
      ...statusUpdated(known, words),
      skip_reason: 'no_content_change',
    });
    await monitor.publish('status.updated', statusUpdated(known, observed(35, 9)));
    const [call] = await world.arrived('quiet', 1);
    expect(read(call).data.status_update).toMatchObject({ id: 35 });
    expect(await marker(3, 'quiet', 3)).toHaveLength(2);
  });

  it('makes one delivery of an event that comes twice', async () => {
    const id = await world.subscribe(4, 'twice');
    const { monitor, cases } = world.siblings;
    const known = caseReply({ id: 4, userId: 4, partnerId: 4, latest: observed(41, 2) });
    world.siblings.knownCases.set(4, known);
    const busId = await monitor.publish('status.updated', statusUpdated(known, observed(41, 2)));
    await world.arrived('twice', 1);
    // Of another stream the server cannot know that it has had this id before.
    const state = {
      case: reference(known),
      watched: true,
      active: true,
      version: 1,
      assignee_id: null,
      respond_by: null,
    };
    await cases.publish('case.updated', state, busId);
    await marker(4, 'twice', 4);
    const { body } = await world.service.call(4, 'GET', `/v1/webhooks/${id}/deliveries`);
    expect(body.deliveries?.map(({ event }) => event)).toEqual(['user.deleted', 'case.status_updated']);
  });

  it('shows users and cases with their version, and of the deleted the ids', async () => {
    await world.subscribe(5, 'objects', { events: ['user.*', 'case.*'] });
    const { identity, cases, monitor, knownCases, knownUsers } = world.siblings;
    knownUsers.set(5, userOf(5, 5, 4));
    const known = caseReply({ id: 5, userId: 5, partnerId: 5, version: 2 });
    knownCases.set(5, known);
    const { whatsapp_consent_at: _w, ...known5 } = userOf(5, 5, 4);
    const shown = Object.fromEntries(Object.entries(known5).filter(([name]) => !name.startsWith('partner_')));
    const about = { case: reference(known) };
    const user = { user_id: 5, partner_id: 5, status: 'active' as const, version: 4 };
    await identity.publish('user.updated', user);
    await cases.publish('case.created', {
      ...about,
      watched: true,
      active: true,
      version: 2,
      first_check: 'seen',
      baseline: null,
      respond_by: null,
    });
    await cases.publish('case.updated', {
      ...about,
      watched: true,
      active: true,
      version: 2,
      assignee_id: null,
      respond_by: null,
    });
    const since = '2026-11-21T10:00:00.000Z';
    const paused = { state: 'paused' as const, since, next_check_at: null, revision: 7 };
    await monitor.publish('status.monitoring_changed', { ...about, ...paused });
    await monitor.publish('status.check_overdue', { ...about, since, last_checked: null });
    await cases.publish('case.deleted', { ...about, version: 3 });
    const told = (await world.arrived('objects', 6)).map(read);
    const dataOf = (type: string) => told.find((event) => event.type === type)?.data;
    const whole = { ...known.case, user_id: 5, version: 2 };
    expect(dataOf('user.updated')).toEqual({ user: shown });
    expect(dataOf('case.created')).toEqual({ case: whole });
    // The firm's matter number and who works on the case stand in the change of a case, and in no other event.
    expect(dataOf('case.updated')).toEqual({
      case: { ...whole, reference: '2024-118', assignee_id: null, respond_by: null },
    });
    expect(dataOf('case.monitoring_changed')).toEqual({ case: whole, monitoring: paused });
    expect(dataOf('case.check_overdue')).toEqual({ case: whole, last_checked: null, since });
    expect(dataOf('case.deleted')).toEqual({
      case: { id: 5, user_case_id: 'FLOW0000005', user_id: 5, version: 3 },
    });
    const all = await marker(5, 'objects', 5);
    expect(all.find((event) => event.type === 'user.deleted')?.data).toEqual({ user: { id: 5, version: 9 } });
  });

  it('tells the day for an answer: with a status, and with a change of the case', async () => {
    await world.subscribe(15, 'days', { events: ['case.*'] });
    const { cases, monitor, knownCases, knownUsers } = world.siblings;
    knownUsers.set(15, userOf(15, 15));
    const evidence = (id: number, observation: number) => ({
      ...observed(id, observation, 'Request for Additional Evidence Was Sent'),
      status_description: 'On November 20, 2026, we sent a request for additional evidence.',
      form_type: 'I-130',
    });
    const known = caseReply({ id: 15, userId: 15, partnerId: 15, latest: evidence(152, 3) });
    const notice = { date: '2027-01-15', source: 'notice' as const };
    const { latest_update } = known.case;
    if (latest_update) latest_update.respond_by = notice;
    known.respond_by = notice;
    knownCases.set(15, known);
    // Of the latest update what its owner knows, of an older one our estimate.
    await monitor.publish('status.updated', statusUpdated(known, evidence(152, 3)));
    await monitor.publish('status.updated', statusUpdated(known, evidence(151, 2)));
    const state = { case: reference(known), watched: true, active: true, version: 1, assignee_id: null };
    await cases.publish('case.updated', { ...state, respond_by: notice });
    const told = (await world.arrived('days', 3)).map(read);
    const ofUpdate = (id: number) =>
      told.find(({ data }) => (data.status_update as { id: number } | undefined)?.id === id)?.data;
    expect(ofUpdate(152)).toMatchObject({
      case: { latest_update: { id: 152, respond_by: notice } },
      status_update: {
        respond_by: notice,
        detail_message: expect.stringContaining('15'),
      },
    });
    expect(ofUpdate(151)).toMatchObject({
      case: { latest_update: { id: 152, respond_by: notice } },
      status_update: { respond_by: { date: '2027-02-12', source: 'estimate' } },
    });
    expect(told.find(({ type }) => type === 'case.updated')?.data).toMatchObject({
      case: { respond_by: notice },
    });
  });

  it('tells once that a notification was sent', async () => {
    await world.subscribe(6, 'notified');
    const { notifier } = world.siblings;
    const about = { status_update_id: 61, case_id: 6, user_id: 6, partner_id: 6 };
    const sent = { attempts: 1, last_error: null, sent_at: '2026-11-21T10:00:00.000Z' };
    const email = { ...about, ...sent, channel: 'email' as const };
    await notifier.publish('notification.updated', {
      ...email,
      revision: 1,
      status: 'sending',
      sent_at: null,
    });
    await notifier.publish('notification.updated', { ...email, revision: 2, status: 'sent' });
    await notifier.publish('notification.updated', { ...email, revision: 3, status: 'delivered' });
    await notifier.publish('notification.updated', {
      ...email,
      channel: 'whatsapp',
      revision: 1,
      status: 'failed',
      sent_at: null,
      last_error: 'unreachable',
    });
    await world.arrived('notified', 2);
    const told = await marker(6, 'notified', 6);
    expect(told.map(({ type }) => type).sort()).toEqual([
      'notification.failed',
      'notification.sent',
      'user.deleted',
    ]);
    expect(told.find(({ type }) => type === 'notification.sent')?.data.notification).toMatchObject({
      status_update_id: 61,
      channel: 'email',
      attempts: 1,
    });
  });

  it('keeps partners apart, and users without a partner out', async () => {
    await world.subscribe(7, 'seven');
    await world.subscribe(8, 'eight');
    const { identity } = world.siblings;
    await identity.publish('user.deleted', { user_id: 70, partner_id: null, version: 2 });
    await identity.publish('user.deleted', { user_id: 80, partner_id: 8, version: 2 });
    await world.arrived('eight', 1);
    expect((await marker(7, 'seven', 71)).map(({ data }) => data)).toEqual([
      { user: { id: 71, version: 9 } },
    ]);
  });

  it('forgets an erased user: what was pending is cancelled except deletions, what comes later is dropped', async () => {
    const id = await world.subscribe(9, 'erased');
    await world.receiver.configure('erased', { status: 503 });
    const { identity, knownUsers } = world.siblings;
    knownUsers.set(90, userOf(90, 9));
    const user = { user_id: 90, partner_id: 9, status: 'active' as const, version: 1 };
    await identity.publish('user.created', user);
    const gone = reference(caseReply({ id: 90, userId: 90, partnerId: 9 }));
    await world.siblings.cases.publish('case.deleted', { case: gone, version: 2 });
    await waitFor(async () => {
      const told = (await world.receiver.calls('erased')).map((call) => read(call).type);
      return told.includes('user.created') && told.includes('case.deleted');
    });
    await identity.publish('user.deleted', { user_id: 90, partner_id: 9, version: 2 });
    await waitFor(async () => {
      const { body } = await world.service.call(9, 'GET', `/v1/webhooks/${id}/deliveries?status=cancelled`);
      return body.deliveries?.length === 1;
    });
    await world.receiver.configure('erased', { status: 200 });
    await identity.publish('user.updated', user);
    await marker(9, 'erased', 91);
    const settled = await waitFor(async () => {
      const { body } = await world.service.call(9, 'GET', `/v1/webhooks/${id}/deliveries`);
      const rows = body.deliveries?.map(({ event, status }) => [event, status]) ?? [];
      return !rows.some(([, status]) => status === 'pending' || status === 'sending') && rows;
    });
    expect(settled.slice(0, 2)).toEqual([
      ['user.deleted', 'delivered'],
      ['user.deleted', 'delivered'],
    ]);
    // Of two streams: in any order.
    expect(settled.slice(2).toSorted()).toEqual([
      ['case.deleted', 'delivered'],
      ['user.created', 'cancelled'],
    ]);
    expect(await world.service.stored('events')).not.toContain(userEmail);
  });
});
