import type { Channel } from '@casewatch/contracts';
import { ApiError } from '@casewatch/platform';
import type { Context } from '../context.ts';
import { decideCallback, type Report, type Reported } from '../domain/callback.ts';
import type { NotificationRow } from '../store/notification-model.ts';
import { changeNotifications } from './change-notification.ts';

const maxTries = 5;

/** `id` of the notification or digest; without it, the provider's id decides. */
export type MessageName = { channel: Channel; id: string | undefined };

type Message = { digest: string | null; providerId: string | null; rows: NotificationRow[] };

/** Applies a provider's report to every member of its message; late reports change nothing. */
export async function applyReport(ctx: Context, of: MessageName, report: Report): Promise<void> {
  for (let i = 0; i < maxTries; i += 1) {
    const message = await loadMessage(ctx, of, report.providerId);
    if (!message || (await apply(ctx, message, report))) return;
  }
  throw new ApiError('service_unavailable', { detail: 'the notification kept changing' });
}

async function loadMessage(
  { stores }: Context,
  { channel, id }: MessageName,
  providerId: string | null,
): Promise<Message | null> {
  const row = id
    ? await stores.notifications.find(id)
    : await stores.notifications.findByProviderId(providerId ?? '');
  if (row?.channel === channel) return { digest: null, providerId: row.provider_message_id, rows: [row] };
  const digest = id ? await stores.digests.find(id) : await stores.digests.findByProviderId(providerId ?? '');
  if (digest?.channel !== channel) return null;
  const members = await stores.notifications.findAll(digest.members);
  // A member that went on in another message is not in this one any more.
  const rows = members.filter((member) => member.digest === digest._id);
  return { digest: digest._id, providerId: digest.provider_message_id, rows };
}

/** False if a row changed meanwhile. */
async function apply(ctx: Context, message: Message, report: Report): Promise<boolean> {
  const { digest, rows } = message;
  const decisions = rows.map((row) => {
    const reported: Reported = { ...row, provider_message_id: message.providerId };
    return { row, decision: decideCallback(reported, report) };
  });
  const ranked = decisions.filter(({ decision }) => decision.kind === 'rank');
  for (const { row, decision } of ranked)
    if (decision.kind === 'rank') await ctx.stores.notifications.setRank([row._id], decision.rank);
  const changes = decisions.flatMap(({ row, decision }) => {
    if (decision.kind !== 'change') return [];
    const change = {
      status: decision.status,
      provider_rank: Math.max(decision.rank, row.provider_rank),
      last_error: decision.last_error,
      provider_text: decision.provider_text,
      // The provider accepted the message, even if its answer to the submission was lost.
      sent_at: row.sent_at ?? ctx.clock.now(),
      ...(digest === null && report.providerId !== null && { provider_message_id: report.providerId }),
      dueInMs: null,
      ambiguous: false,
    };
    return [{ row, change }];
  });
  if (changes.length === 0) return true;
  if (digest !== null && message.providerId === null && report.providerId !== null)
    await ctx.stores.digests.setProviderId(digest, report.providerId);
  const fields = { notification: digest ?? rows[0]?._id, reported: report.providerStatus };
  ctx.log.debug({ ...fields, changes: changes.length }, 'provider report received');
  return (await changeNotifications(ctx, changes)).length === changes.length;
}
