import { clockSkewMs, type SubmittedMessage } from '../clients/twilio.ts';
import type { Context } from '../context.ts';
import { changeInOneLine } from '../templates/update-content.ts';
import { templateName } from '../templates/whatsapp-templates.ts';
import { type ClaimedMessage, idOfMessage } from './claimed-message.ts';
import { type Delivery, linkOf, noteSubmitted } from './deliver-email.ts';

/** `texts`: variables 1, 2, …; `link`, where the message leads, is the last one. */
type Content = { contentSid: string; texts: readonly string[]; link: string; template: string };

export async function deliverWhatsapp(ctx: Context, message: ClaimedMessage): Promise<Delivery> {
  const { user, newest } = message;
  const content = contentOf(ctx, message);
  if (!ctx.whatsapp || user.phone === null || content === null)
    throw new Error('this message was to be skipped');
  const { contentSid, texts, link, template } = content;
  const variables = Object.fromEntries([...texts, link].map((text, i) => [i + 1, text]));
  await noteSubmitted(ctx, message);
  const outcome = await ctx.whatsapp.send({
    contentSid,
    variables,
    phone: user.phone,
    // Only characters that need no escaping: the signature covers the exact address.
    statusCallback: `${ctx.config.PUBLIC_URL}/v1/callbacks/twilio?n=${idOfMessage(message)}&a=${newest.attempts}`,
  });
  return { outcome, template };
}

/** A submission reaches Twilio within this time, ms. */
const windowMs = 60_000;

/**
 * The message at Twilio that an ambiguous submission created: the oldest that fits and has no notification. The digest itself may
 * have it already: its sender died after it had stored the id, and before the rows.
 */
export async function findSubmission(
  ctx: Context,
  { rows, user, isFirst }: Pick<ClaimedMessage, 'rows' | 'user' | 'isFirst'>,
): Promise<SubmittedMessage | null> {
  const startedAt = rows[0]?.attempt_started_at ?? null;
  const content = contentOf(ctx, { rows, user, isFirst });
  if (!ctx.whatsapp || user.phone === null || startedAt === null || content === null) return null;
  const from = startedAt.getTime() - clockSkewMs;
  const messages = await ctx.whatsapp.find(user.phone, new Date(from));
  const sids = messages.map(({ sid }) => sid);
  const owned = await Promise.all([
    ctx.stores.notifications.ownedProviderIds(sids),
    ctx.stores.digests.ownedProviderIds(sids, rows[0]?.digest ?? null),
  ]);
  const ownedIds = new Set(owned.flat());
  // Twilio does not list our id. If it lists the text, what we said is in it; where the link leads may have changed since.
  const isCandidate = ({ sid, body, createdAt }: SubmittedMessage) => {
    const hasText = body === '' || content.texts.every((text) => body.includes(text));
    const at = createdAt.getTime();
    return !ownedIds.has(sid) && hasText && at >= from && at <= from + windowMs;
  };
  const byAge = (a: SubmittedMessage, b: SubmittedMessage) => a.createdAt.getTime() - b.createdAt.getTime();
  return messages.filter(isCandidate).sort(byAge)[0] ?? null;
}

/** One update: what changed, and last four digits. Several: their number, or the newest if there is no such template. */
function contentOf(
  ctx: Context,
  { rows, user, isFirst }: Pick<ClaimedMessage, 'rows' | 'user' | 'isFirst'>,
): Content | null {
  const { whatsapp } = ctx;
  const language = user.preferred_language;
  const facts = rows[0]?.facts ?? null;
  if (facts === null) return null;
  const link = linkOf(ctx, user, facts.user_case_id);
  const digestSid = rows.length > 1 ? (whatsapp?.contentSid('status_digest', language) ?? null) : null;
  if (digestSid !== null)
    return {
      contentSid: digestSid,
      texts: [String(rows.length)],
      link,
      template: templateName('status_digest'),
    };
  const firstSid = isFirst ? (whatsapp?.contentSid('first_update', language) ?? null) : null;
  const contentSid = firstSid ?? whatsapp?.contentSid('status_update', language) ?? null;
  if (contentSid === null) return null;
  const key = firstSid === null ? 'status_update' : 'first_update';
  const texts = [changeInOneLine(facts, language), facts.receipt_masked.slice(-4)];
  return { contentSid, texts, link, template: templateName(key) };
}
