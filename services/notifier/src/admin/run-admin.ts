import { operatorProgram } from '@casewatch/platform';
import type { Session } from '@casewatch/platform/database';
import { explain } from './explain.ts';
import { withAdmin } from './open-admin.ts';
import { replay } from './replay.ts';
import { suppress, unsuppress } from './suppress.ts';
import { templates } from './templates.ts';
import { testSend } from './test-send.ts';

export const runAdmin = operatorProgram({
  name: 'notifier',
  commands: [templates, replay, suppress, unsuppress, testSend, explain],
  recordIn: ({ clock, outbox }) => ({
    clock,
    add: (session, record) =>
      outbox.add(session as Session, 'notifier.audited', `partner/${record.partner_id}`, {
        records: [record],
      }),
  }),
  withContext: withAdmin,
});
