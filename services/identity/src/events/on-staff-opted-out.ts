import type { Alerts } from '@casewatch/contracts';
import type { EventHandler } from '@casewatch/platform';
import { transaction } from '@casewatch/platform/database';
import { recordStaffAct } from '../audit/audit.ts';
import type { Context } from '../context.ts';
import { alertsOf } from '../staff/alerts.ts';
import { saveMember } from '../staff/members.ts';

/**
 * The member pressed the link in a mail. An event that comes again, or late, does not undo what the member has chosen since. What is
 * urgent and would reach nobody else still comes.
 */
export function onStaffOptedOut(ctx: Context): EventHandler<'staff.opted_out'> {
  return async ({ staff_id, at }) => {
    await transaction(ctx.db, async (tx) => {
      const member = await ctx.stores.staff.find(staff_id, tx);
      if (!member || member.removed_at !== null) return;
      const optedOutAt = new Date(at);
      if (member.alerts_changed_at && member.alerts_changed_at >= optedOutAt) return;
      const alerts: Alerts = { ...alertsOf(member), immediate: [], digest: 'off' };
      await saveMember(ctx, tx, { member, set: { alerts, alerts_changed_at: optedOutAt } });
      await recordStaffAct(ctx, tx, { member, act: 'turn_off_alerts', address: null });
    });
  };
}
