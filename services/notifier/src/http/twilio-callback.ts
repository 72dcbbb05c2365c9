import { ApiError, type Handler } from '@casewatch/platform';
import { changeNotification } from '../changes/change-notification.ts';
import type { Context } from '../context.ts';
import { decideCallback, type Report } from '../domain/callback.ts';
import type { NotificationRow } from '../store/notification-model.ts';

/** Attempts to apply a report while the row keeps changing. */
const maxTries = 5;

/** POST /v1/callbacks/twilio: Twilio reports the progress of a message, signed. */
export function twilioCallback(ctx: Context): Handler<'twilio_callback'> {
  return async (call) => {
    const signature = call.header('x-twilio-signature') ?? '';
    const url = `${ctx.config.PUBLIC_URL}${call.url}`;
    if (!ctx.whatsapp?.isSigned({ signature, url, form: call.body })) throw new ApiError('invalid_signature');
    const report = {
      providerId: call.body.MessageSid,
      providerStatus: call.body.MessageStatus,
      errorCode: errorCodeOf(call.body.ErrorCode),
    };
    for (let i = 0; i < maxTries; i += 1) {
      const row = await load(ctx, call.query.n, report.providerId);
      if (!row || (await apply(ctx, row, report))) return {};
    }
    throw new ApiError('service_unavailable', { detail: 'the notification kept changing' });
  };
}

async function load(ctx: Context, id: string | undefined, providerId: string) {
  const row = id
    ? await ctx.stores.notifications.find(id)
    : await ctx.stores.notifications.findByProviderId(providerId);
  return row?.channel === 'whatsapp' ? row : null;
}

/** False if the row changed meanwhile. */
async function apply(ctx: Context, row: NotificationRow, report: Report): Promise<boolean> {
  const decision = decideCallback(row, report);
  const fields = { notification: row._id, reported: report.providerStatus, decision: decision.kind };
  ctx.log.debug(fields, 'Twilio callback received');
  if (decision.kind === 'rank') await ctx.stores.notifications.setRank(row._id, decision.rank);
  if (decision.kind !== 'change') return true;
  const changed = await changeNotification(ctx, row, {
    status: decision.status,
    provider_rank: Math.max(decision.rank, row.provider_rank),
    last_error: decision.last_error,
    // Twilio accepted the message, even if its answer to the submission was lost.
    sent_at: row.sent_at ?? ctx.clock.now(),
    provider_message_id: report.providerId,
    dueInMs: null,
    ambiguous: false,
  });
  return changed !== null;
}

function errorCodeOf(value: unknown): number | null {
  const code = Number(value);
  return Number.isInteger(code) && code > 0 ? code : null;
}
