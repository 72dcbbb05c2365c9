import type { Channel, StatusUpdated } from '@casewatch/contracts';
import type { CallContext } from '@casewatch/platform';
import type { People } from '../clients/recipient.ts';
import type { Context } from '../context.ts';
import { factsOf } from '../domain/notification-facts.ts';
import { isStale, type SkipReason, skipError, skipReason } from '../domain/skip-reason.ts';
import { isUrgent } from '../domain/urgent.ts';
import type { NewNotification } from '../store/notification-model.ts';

type Arriving = {
  data: StatusUpdated;
  context: CallContext;
  people: People | null;
  channel: Channel;
  /** The update was stored before, and is told only now: it is not stale. */
  isConfirmed?: boolean;
};
export type ArrivingNotification = NewNotification & Pick<CallContext, 'request_id' | 'traceparent'>;

/** The row of one channel; skipped where the event or the person's settings already say so. */
export function newNotification(ctx: Context, arriving: Arriving): ArrivingNotification {
  const { data, context, channel } = arriving;
  const { case: reference, status_update: update } = data;
  const reason = reasonOnArrival(ctx, arriving);
  const skipped = reason !== null;
  return {
    _id: `${update.id}:${channel}`,
    status_update_id: update.id,
    case_id: reference.id,
    user_id: reference.user_id,
    partner_id: reference.partner_id,
    channel,
    facts: skipped ? null : factsOf(data, ctx.clock.now()),
    observed_at: new Date(update.timestamp),
    status: skipped ? 'skipped' : 'pending',
    reason,
    attempts: 0,
    last_error: skipped ? skipError(reason) : null,
    sent_at: null,
    revision: skipped ? 1 : 0,
    lease_until: null,
    fence: 0,
    urgent: isUrgent(update),
    ambiguous: false,
    attempt_started_at: null,
    provider_message_id: null,
    provider_rank: 0,
    request_id: context.request_id,
    traceparent: context.traceparent,
    created_at: ctx.clock.now(),
  };
}

function reasonOnArrival(
  ctx: Context,
  { data, people, channel, isConfirmed = false }: Arriving,
): SkipReason | null {
  const { skip_reason, skip_detail, status_update: update } = data;
  const eventReason = skip_detail ?? skip_reason;
  if (eventReason) return eventReason;
  if (update.kind === 'translation') return 'no_content_change';
  if (!people) return null;
  const user = people.get(data.case.user_id) ?? null;
  const isEmail = channel === 'email';
  const language = user?.preferred_language ?? 'en';
  return skipReason({
    user,
    // Asked when the message is sent, as are suppressions.
    caseActive: true,
    suppression: null,
    blocked: null,
    channel,
    configured: isEmail || ctx.whatsapp !== null,
    hasTemplate: isEmail || ctx.whatsapp?.contentSid('status_update', language) !== null,
    isStale: !isConfirmed && isStale(new Date(update.timestamp), ctx.clock.now()),
  });
}
