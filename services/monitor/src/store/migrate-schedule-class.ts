import type { Migration } from '@casewatch/platform';

/** Receipts were due by time alone; now they are by class too, and one without a class counts as not watched. */
export const giveScheduleClass: Migration = {
  id: '0001-schedule-class',
  async run(db) {
    const without = { watchers: { $gt: 0 }, state: { $ne: 'rejected' }, schedule_class: { $exists: false } };
    await db.collection('receipts').updateMany(without, [{ $set: { schedule_class: '$poll_class' } }]);
  },
};
