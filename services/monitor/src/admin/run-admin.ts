import { createLogger, operatorProgram, readConfig, systemClock } from '@casewatch/platform';
import { createOutbox, readDatabaseClock, type Session, withDatabase } from '@casewatch/platform/database';
import { monitorConfig } from '../config.ts';
import { createSharedContext } from '../context.ts';
import { explain } from './explain.ts';
import { orders } from './orders.ts';
import { recheck } from './recheck.ts';
import { share } from './share.ts';
import { status } from './status.ts';

export const runAdmin = operatorProgram({
  name: 'monitor',
  commands: [status, ...orders, recheck, share, explain],
  recordIn: ({ clock, db }) => ({
    clock,
    // The relay of a running replica finds the event by itself.
    add: (session, record) =>
      createOutbox('monitor', db, clock.now).add(
        session as Session,
        'monitor.audited',
        `partner/${record.partner_id}`,
        { records: [record] },
      ),
  }),
  withContext: (env, _say, work) => {
    const config = readConfig(monitorConfig, env);
    return withDatabase(config, async (db) => {
      const log = createLogger('monitor', 'silent');
      const clock = await readDatabaseClock(db);
      const admin = createSharedContext({ db, log, clock, wallClock: systemClock }, config);
      await admin.planner.refresh();
      return await work(admin);
    });
  },
});
