import { defineService } from '@casewatch/platform';
import { monitorConfig } from './config.ts';
import { createContext, inBackground } from './context.ts';
import { onCaseCreated } from './events/on-case-created.ts';
import { onCaseDeleted } from './events/on-case-deleted.ts';
import { onCaseUpdated } from './events/on-case-updated.ts';
import { onPartnerDeleted } from './events/on-partner-deleted.ts';
import { onErasureRecorded, onUserDeleted } from './events/on-user-deleted.ts';
import { refreshPlan } from './loops/schedule-stats.ts';
import { sendUnderLease } from './loops/send.ts';
import { answerShare } from './requests/share.ts';
import { answerState } from './requests/state.ts';
import { readStatus } from './scheduling/status.ts';
import { database } from './store/database.ts';

export const monitor = defineService({
  name: 'monitor',
  config: monitorConfig,
  database,
  context: createContext,
  inBackground,
  http: {},
  requests: {
    'monitor.share': answerShare,
    'monitor.state': answerState,
    'monitor.status': (ctx) => () => readStatus(ctx),
  },
  events: {
    'case.created': onCaseCreated,
    'case.updated': onCaseUpdated,
    'case.deleted': onCaseDeleted,
    'user.deleted': onUserDeleted,
    'erasure.recorded': onErasureRecorded,
    'partner.deleted': onPartnerDeleted,
  },
  loops: [refreshPlan, sendUnderLease],
});
