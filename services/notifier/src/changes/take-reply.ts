import type { Session } from '@casewatch/platform/database';
import type { Context } from '../context.ts';
import type { QueuedMail } from '../domain/queued-mail.ts';
import { isJustStopped } from '../domain/suppression.ts';
import { endMessages } from './end-messages.ts';
import { newMail } from './new-mail.ts';

/** `id`: Twilio's of the message. `isAnswered`: Twilio confirms the stop word itself (Advanced Opt-Out). */
type Reply = { id: string; phone: string; isAnswered: boolean };

/** US law presumes consent to one confirmation, if it is sent within five minutes (47 CFR 64.1200(a)(12)); ms. */
const confirmWithinMs = 5 * 60 * 1_000;

/** A person's WhatsApp message: STOP suppresses the number, opts its users out and is confirmed; START lifts the suppression. */
export async function takeReply(ctx: Context, wish: 'stop' | 'start', reply: Reply): Promise<void> {
  const { phone } = reply;
  if (wish === 'start') {
    const hashes = ctx.addressHashes.all('whatsapp', phone);
    const lifted = await ctx.stores.addressSuppressions.remove(hashes, ['opt_out']);
    ctx.log.info({ channel: 'whatsapp', lifted }, 'START received');
    return;
  }
  let confirmedTo: number | null = null;
  const users = await endMessages(ctx, { channel: 'whatsapp', address: phone }, async (session, ended) => {
    const isFirst = !ended.earlier.some((earlier) => isJustStopped(earlier, ctx.clock.now()));
    confirmedTo = isFirst && !reply.isAnswered ? (ended.userIds[0] ?? null) : null;
    if (confirmedTo !== null) await queueConfirmation(ctx, session, { ...reply, userIds: ended.userIds });
  });
  ctx.log.info({ channel: 'whatsapp', users, confirmed: confirmedTo !== null }, 'STOP received');
  if (confirmedTo === null) return;
  // The user may have been deleted meanwhile: the deletion writes its tombstone before it erases.
  if (await ctx.stores.tombstones.has(confirmedTo)) await ctx.stores.mails.deleteOfUser(confirmedTo);
  ctx.signals.emit('mails');
}

/** Together with the suppression: a confirmation is stored once, and only of what is true. */
async function queueConfirmation(
  ctx: Context,
  session: Session,
  { id, phone, userIds }: Reply & { userIds: readonly number[] },
): Promise<void> {
  const expiresAt = new Date(ctx.clock.now().getTime() + confirmWithinMs);
  const content: QueuedMail = {
    kind: 'stop_confirmation',
    message_id: `stop-${id}`,
    to: phone,
    user_ids: [...userIds],
    expires_at: expiresAt.toISOString(),
  };
  const mail = newMail(ctx, { content, expiresAt, user_id: userIds[0] ?? null });
  await ctx.stores.mails.insert(mail, session);
}
