import { ApiError, type Handler } from '@casewatch/platform';
import { settle } from '../changes/settle.ts';
import type { Context } from '../context.ts';
import { type CallbackDecision, decideCallback, type Report } from '../domain/callback.ts';
import type { NotificationRow } from '../store/notification-row.ts';

/** Tries, where the row changes under our hands: each change is a step forward, so a few are enough. */
const tries = 5;

/** Twilio says how far a message got: signed, applied by rank, so that late and repeated reports do no harm. */
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
    for (let i = 0; i < tries; i += 1) {
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

/** False: the row changed meanwhile; look again. */
async function apply(ctx: Context, row: NotificationRow, report: Report): Promise<boolean> {
  const decision = decideCallback(row, report);
  ctx.log.debug(
    { notification: row._id, reported: report.providerStatus, decision: decision.kind },
    'callback',
  );
  if (decision.kind === 'rank') await ctx.stores.notifications.raiseRank(row._id, decision.rank);
  if (decision.kind !== 'change') return true;
  const { _id, status, fence } = row;
  return (await settle(ctx, { _id, status, fence }, changeOf(ctx, row, report, decision))) !== null;
}

function changeOf(
  ctx: Context,
  row: NotificationRow,
  report: Report,
  decision: CallbackDecision & { kind: 'change' },
) {
  return {
    status: decision.status,
    provider_rank: Math.max(decision.rank, row.provider_rank),
    last_error: decision.last_error,
    // The callback proves that Twilio accepted it, even where its answer to the submission got lost.
    sent_at: row.sent_at ?? ctx.clock.now(),
    provider_message_id: report.providerId,
    dueInMs: null,
    ambiguous: false,
  };
}

function errorCodeOf(value: unknown): number | null {
  const code = Number(value);
  return Number.isInteger(code) && code > 0 ? code : null;
}
