import type { MonitoringState } from '@casewatch/contracts';
import { transaction } from '@casewatch/platform/database';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { CaseInEvent } from '../../test/support/fixtures.ts';
import { delivery, givenCase, openContext } from '../../test/support/open-context.ts';
import type { Context } from '../context.ts';
import { monitoringOf, watchBegun, watchEnded } from '../rules/watching.ts';
import { onCheckOverdue, onMonitoringChanged, onStatusChecked } from './monitoring.ts';

/** Days after now: the cases of these tests begin now. */
const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString();

describe('what the monitor says of the watching', () => {
  let ctx: Context;
  let stop: () => Promise<void>;
  let userId = 0;
  let made: CaseInEvent;
  const row = async () => {
    const found = await ctx.stores.cases.find(made.id);
    if (!found) throw new Error('the case is there');
    return found;
  };
  const checked = (checked_at: string, next_check_at: string | null = null) =>
    onStatusChecked(ctx)({ checked_at, next_check_at, case_ids: [made.id, 999_999] });
  const changed = (state: MonitoringState, revision: number, case_version = 1) =>
    onMonitoringChanged(ctx)(
      { case: made, state, since: inDays(1), next_check_at: null, revision, case_version },
      delivery,
    );
  const change = (change: Parameters<Context['stores']['cases']['change']>[2]) =>
    transaction(ctx.db, (session) => ctx.stores.cases.change(session, [made.id], change));

  const changeTexts = (texts: { description: string }) =>
    transaction(ctx.db, async (session) => ctx.stores.cases.changeTexts(session, await row(), texts));

  beforeAll(async () => {
    ({ ctx, stop } = await openContext());
  });
  afterAll(async () => await stop());
  beforeEach(async () => {
    userId += 1;
    made = await givenCase(ctx, userId);
  });

  it('moves last_checked forward only', async () => {
    const [early, late, next] = [inDays(1), inDays(2), inDays(3)];
    await checked(late, next);
    await checked(early, inDays(9));
    expect((await row()).last_checked).toEqual(new Date(late));
    expect((await row()).monitoring.next_check_at).toEqual(new Date(next));
  });

  it('takes the first check of a case that was never checked', async () => {
    made = await givenCase(ctx, userId, true);
    const at = inDays(1);
    await checked(at);
    expect((await row()).last_checked).toEqual(new Date(at));
  });

  it("lets the receipt's higher revision win", async () => {
    await changed('not_found', 7);
    await changed('watched', 6);
    await changed('rejected', 7);
    expect(monitoringOf(await row())).toMatchObject({ state: 'not_found' });
    await changed('watched', 8);
    expect(monitoringOf(await row())).toMatchObject({ state: 'watched' });
  });

  it('drops what was said of an earlier watch, whatever its revision', async () => {
    await changed('not_found', 40);
    await changeTexts({ description: '$version' });
    await change(watchEnded(new Date()));
    await change(watchBegun(new Date()));
    expect(await row()).toMatchObject({ version: 4, watched_version: 4, description: '$version' });
    await changed('not_found', 41, 1);
    await changed('rejected', 42, 3);
    expect(monitoringOf(await row())).toMatchObject({ state: 'watched' });
    await changed('not_found', 2, 4);
    await changeTexts({ description: 'changed' });
    expect(monitoringOf(await row())).toMatchObject({ state: 'not_found' });
    // The monitor does not know the new description yet.
    await changed('watched', 3, 4);
    expect(monitoringOf(await row())).toMatchObject({ state: 'watched' });
    await changed('rejected', 4, 5);
    expect(monitoringOf(await row())).toMatchObject({ state: 'rejected' });
  });

  it('shows a case as overdue until it is checked again', async () => {
    const since = inDays(2);
    await onCheckOverdue(ctx)({ case: made, last_checked: null, since }, delivery);
    expect(monitoringOf(await row())).toMatchObject({ state: 'overdue', since: new Date(since) });
    await checked(inDays(3));
    expect(monitoringOf(await row())).toMatchObject({ state: 'watched' });
    // Older than the check.
    await onCheckOverdue(ctx)({ case: made, last_checked: null, since }, delivery);
    expect(monitoringOf(await row())).toMatchObject({ state: 'watched' });
  });

  it.each([
    ['first', ['overdue', 'report']],
    ['last', ['report', 'overdue']],
  ] as const)('a newer report ends the delay, whether that was said %s', async (_, order) => {
    const events = {
      overdue: () => onCheckOverdue(ctx)({ case: made, last_checked: null, since: inDays(0.5) }, delivery),
      // It began a day from now.
      report: () => changed('watched', 3),
    };
    for (const name of order) await events[name]();
    expect(monitoringOf(await row())).toMatchObject({ state: 'watched' });
    expect(await row()).toMatchObject({ overdue_since: null });
  });

  it('an older report leaves the case overdue', async () => {
    const since = inDays(2);
    await onCheckOverdue(ctx)({ case: made, last_checked: null, since }, delivery);
    await changed('watched', 3);
    expect(monitoringOf(await row())).toMatchObject({ state: 'overdue', since: new Date(since) });
  });
});
