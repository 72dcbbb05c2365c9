import { PoisonError } from '@casewatch/platform';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { type CaseInEvent, statusUpdated } from '../../test/support/fixtures.ts';
import { delivery, givenCase, openContext } from '../../test/support/open-context.ts';
import { answerCases } from '../answers/answers.ts';
import type { Context } from '../context.ts';
import { onStatusUpdated } from './status-updated.ts';

describe('status.updated', () => {
  let ctx: Context;
  let stop: () => Promise<void>;
  let userId = 0;
  let made: CaseInEvent;
  let handler: ReturnType<typeof onStatusUpdated>;
  const handle = (data: ReturnType<typeof statusUpdated>) => handler(data, delivery);

  beforeAll(async () => {
    ({ ctx, stop } = await openContext());
    handler = onStatusUpdated(ctx);
  });
  afterAll(async () => await stop());
  beforeEach(async () => {
    userId += 1;
    made = await givenCase(ctx, userId);
  });

  it('stores the update, counts it and shows it as the latest', async () => {
    const change = statusUpdated(made);
    await handle(change);
    expect(await ctx.stores.statusUpdates.find(change.status_update.id)).toMatchObject({
      case_id: made.id,
      observation: 2,
      email_notify_status: 'pending',
      whatsapp_notify_status: 'pending',
      email_notify_last_error: null,
      notified: 0,
    });
    expect(await ctx.stores.cases.find(made.id)).toMatchObject({
      update_count: 2,
      latest_update: { id: change.status_update.id, status_code: 'Case Was Approved' },
      last_checked: new Date('2026-11-21T09:00:00.000Z'),
    });
  });

  it('does nothing the second time, also when both come at once', async () => {
    const change = statusUpdated(made);
    await Promise.all([handle(change), handle(change), handle(change)]);
    await handle(change);
    expect(await ctx.stores.cases.find(made.id)).toMatchObject({ update_count: 2 });
    expect(await ctx.stores.statusUpdates.page(made.id, { after: null, limit: 10 })).toHaveLength(2);
  });

  it('shows the highest observation whatever the order of arrival', async () => {
    const [older, newer] = [2, 3].map((observation) => statusUpdated(made, { observation }));
    if (!older || !newer) throw new Error('two updates were made');
    await handle(newer);
    await handle(older);
    const row = await ctx.stores.cases.find(made.id);
    expect(row).toMatchObject({ update_count: 3, latest_update: { id: newer.status_update.id } });
    const shown = await ctx.stores.statusUpdates.page(made.id, { after: null, limit: 10 });
    expect(shown.map(({ observation }) => observation)).toEqual([3, 2, 1]);
  });

  it('counts every one of many that come at once', async () => {
    const changes = Array.from({ length: 10 }, (_, i) => statusUpdated(made, { observation: 2 + i }));
    await Promise.all(changes.map(handle));
    expect(await ctx.stores.cases.find(made.id)).toMatchObject({
      update_count: 11,
      latest_update: { observation: 11 },
    });
  });

  it('counts each once when two replicas handle the same many at once', async () => {
    const other = onStatusUpdated(ctx);
    const changes = Array.from({ length: 10 }, (_, i) => statusUpdated(made, { observation: 2 + i }));
    const twice = changes.flatMap((change) => [handle(change), other(change, delivery), handle(change)]);
    await Promise.all(twice);
    expect(await ctx.stores.cases.find(made.id)).toMatchObject({
      update_count: 11,
      latest_update: { observation: 11 },
    });
  });

  it('answers a question about an update that it is storing when the update is stored, as later ones', async () => {
    const ask = answerCases(ctx);
    const question = { ids: [made.id], at_least: { observation: 2, version: 0 } };
    const stored = handle(statusUpdated(made));
    // As webhooks does: on a busy machine the storing takes longer than one answer waits.
    let first = await ask(question, 'webhooks');
    while (first.cases[0]?.latest_observation !== 2) first = await ask(question, 'webhooks');
    await stored;
    expect(await ask(question, 'webhooks')).toEqual(first);
  });

  it('stores the others where one breaks an invariant or cannot be stored', async () => {
    const others = await Promise.all(Array.from({ length: 6 }, (_, i) => givenCase(ctx, 2_000 + i)));
    const [known, ...changes] = [made, ...others].map((one) => statusUpdated(one));
    const [twice] = changes;
    if (!known || !twice) throw new Error('seven updates were made');
    await handle(known);
    twice.status_update.id = known.status_update.id;
    const first = await Promise.allSettled(changes.map(handle));
    expect(first.map(({ status }) => status)).toEqual(['rejected', ...Array(5).fill('fulfilled')]);

    const next = others.map((one) => statusUpdated(one, { observation: 3 }));
    // MongoDB stores no document of more than 16 MiB.
    const [huge] = next;
    if (huge) huge.status_update.status_description = 'x'.repeat(17 * 1024 * 1024);
    const second = await Promise.allSettled(next.map(handle));
    expect(second.map(({ status }) => status)).toEqual(['rejected', ...Array(5).fill('fulfilled')]);
    const counts = await Promise.all(others.map(({ id }) => ctx.stores.cases.find(id)));
    expect(counts.map((row) => row?.update_count)).toEqual([1, 3, 3, 3, 3, 3]);
  });

  it.each([
    ['baseline', 'baseline', 'baseline: first state of a new case'],
    ['translation', 'no_content_change', 'no_content_change: the text did not change'],
    ['flap', 'flap', 'flap: the status went back and forth within a day'],
    ['status', 'other', 'other: notifications are suppressed for this update'],
  ] as const)(
    'stores a %s that nobody is told of as skipped, with the reason',
    async (kind, reason, text) => {
      const deferred = await givenCase(ctx, userId, true);
      const change = statusUpdated(deferred, { kind, observation: 1 }, reason);
      await handle(change);
      expect(await ctx.stores.statusUpdates.find(change.status_update.id)).toMatchObject({
        kind,
        email_notify_status: 'skipped',
        whatsapp_notify_status: 'skipped',
        email_notify_last_error: text,
        whatsapp_notify_last_error: text,
        email_notify_attempts: 0,
      });
      expect(await ctx.stores.cases.find(deferred.id)).toMatchObject({ update_count: 1 });
    },
  );

  it('refuses an id that another case has, loudly and with ids alone, and changes nothing', async () => {
    const [known, other] = [statusUpdated(made), await givenCase(ctx, userId)];
    await handle(known);
    const again = statusUpdated(other, { id: known.status_update.id, status_code: 'Case Was Denied' });
    const { id } = known.status_update;
    await expect(handle(again)).rejects.toThrow(
      new PoisonError(
        `StatusUpdate ${id} is of case ${made.id}, observation 2; not of case ${other.id}, observation 2`,
      ),
    );
    expect(await ctx.stores.cases.find(other.id)).toMatchObject({ update_count: 1 });
    expect(await ctx.stores.statusUpdates.find(id)).toMatchObject({ case_id: made.id });
  });

  it('refuses an id that another observation of the case has', async () => {
    const known = statusUpdated(made);
    await handle(known);
    const { id } = known.status_update;
    await expect(handle(statusUpdated(made, { id, observation: 3 }))).rejects.toThrow(
      new PoisonError(
        `StatusUpdate ${id} is of case ${made.id}, observation 2; not of case ${made.id}, observation 3`,
      ),
    );
    expect(await ctx.stores.cases.find(made.id)).toMatchObject({ update_count: 2 });
  });

  it('is done with a case that is gone, and stores nothing', async () => {
    const change = statusUpdated({ ...made, id: 999_999 });
    await handle(change);
    expect(await ctx.stores.statusUpdates.find(change.status_update.id)).toBeNull();
  });
});
