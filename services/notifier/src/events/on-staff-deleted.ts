import type { EventHandler } from '@casewatch/platform';
import type { Context } from '../context.ts';

/** Ends the mails to a member who was removed. The tombstone comes first: a mail that is stored in parallel finds it afterwards. */
export function onStaffDeleted({ stores, log }: Context): EventHandler<'staff.deleted'> {
  return async ({ staff_id }, { time }) => {
    await stores.staffTombstones.add(staff_id, time);
    const mails = await stores.mails.deleteOfStaff(staff_id);
    log.info({ staff_id, mails }, 'mails of a removed staff member deleted');
  };
}
