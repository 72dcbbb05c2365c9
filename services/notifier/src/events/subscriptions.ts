import type { EventHandlers } from '@casewatch/platform';
import type { NotifierContext } from '../context.ts';
import { onStatusUpdated } from './on-status-updated.ts';
import { onUserDeleted } from './on-user-deleted.ts';

/** What the notifier listens to. */
export function subscriptions(ctx: NotifierContext): EventHandlers {
  return {
    'status.updated': onStatusUpdated(ctx),
    'user.deleted': onUserDeleted(ctx),
  };
}
