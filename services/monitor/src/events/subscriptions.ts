import type { EventHandlers } from '@casewatch/platform';
import type { Context } from '../context.ts';
import { onCaseCreated } from './on-case-created.ts';
import { onCaseDeleted } from './on-case-deleted.ts';
import { onCaseUpdated } from './on-case-updated.ts';

/** What the monitor consumes. */
export function subscriptions(ctx: Context): EventHandlers {
  return {
    'case.created': onCaseCreated(ctx),
    'case.updated': onCaseUpdated(ctx),
    'case.deleted': onCaseDeleted(ctx),
  };
}
