import type { EventHandler } from '@casewatch/platform';
import type { Context } from '../context.ts';
import { removeMember } from '../firm/erase-firm.ts';

/** Ends the mails to a member who was removed. The tombstone comes first: a mail that is stored in parallel finds it afterwards. */
export function onStaffDeleted(ctx: Context): EventHandler<'staff.deleted'> {
  return async ({ staff_id }, { time }) => {
    await ctx.stores.staffTombstones.add(staff_id, time);
    const mails = await ctx.stores.mails.deleteOfStaff(staff_id);
    const alerts = await removeMember(ctx, staff_id);
    ctx.log.info({ staff_id, mails, alerts }, 'mails of a removed staff member deleted');
  };
}
