import type { Migration } from '@casewatch/platform/database';
import { scheduleUnscheduled } from './unscheduled-receipts.ts';

/** The sandbox traffic became a program of its own (tools/sandbox-traffic). */
export const dropSandboxTraffic: Migration = {
  id: '0002-drop-sandbox-traffic',
  async run(db) {
    for (const name of ['traffic_plan', 'traffic_days']) await db.collection(name).drop();
  },
};

/** Watched receipts without a bucket are not checked. */
export const giveBucket: Migration = {
  id: '0003-buckets',
  async run(db, signal) {
    await scheduleUnscheduled(db, { rates: new Map() }, signal);
  },
};
