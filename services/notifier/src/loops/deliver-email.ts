import type { Context } from '../context.ts';
import { caseLink } from '../domain/case-link.ts';
import { digestMessageId, statusMessageId } from '../domain/message-id.ts';
import type { Outcome } from '../domain/outcome.ts';
import type { RecipientUser } from '../domain/skip-reason.ts';
import { unsubscribeHeaders, unsubscribeToken } from '../domain/unsubscribe-token.ts';
import { type DigestItem, renderDigestMail } from '../templates/digest-mail.ts';
import { renderStatusMail } from '../templates/status-mail.ts';
import type { ClaimedMessage } from './claimed-message.ts';
import { retryWrite } from './retry-write.ts';

export type Delivery = { outcome: Outcome; template: string };

export async function deliverEmail(ctx: Context, message: ClaimedMessage): Promise<Delivery> {
  const { newest, digest, user } = message;
  const { config } = ctx;
  const token = unsubscribeToken(ctx.links, user.id, 'email');
  const unsubscribe = `${config.PUBLIC_URL}/v1/unsubscribe?token=${token}`;
  const frame = { language: user.preferred_language, partner: partnerOf(user), unsubscribe };
  const items = itemsOf(ctx, message);
  const [item] = items;
  if (!item) throw new Error('this message was to be skipped');
  const { template, ...mail } =
    items.length > 1 ? renderDigestMail({ ...frame, items }) : renderStatusMail({ ...frame, ...item });
  const outgoing = {
    ...mail,
    to: user.email,
    replyTo: user.partner_reply_to,
    messageId:
      digest === null
        ? statusMessageId(newest.status_update_id, config.MAIL_FROM)
        : digestMessageId(digest, config.MAIL_FROM),
    headers: unsubscribeHeaders(unsubscribe),
  };
  const outcome = await ctx.statusMailer.send(outgoing, {
    beforeEnd: () => noteSubmitted(ctx, message),
    keep: (answer) => noteAccepted(ctx, message, { answer, template }),
  });
  return { outcome, template };
}

/** From now on the provider may accept the message. @throws Error if the claim is lost: then another replica sends it */
export async function noteSubmitted(ctx: Context, { rows, newest }: ClaimedMessage): Promise<void> {
  if (await ctx.stores.notifications.noteSubmitted(rows, newest.claim ?? '')) return;
  throw new Error('message not sent: its claim is lost');
}

async function noteAccepted(
  ctx: Context,
  { rows, newest, claim }: ClaimedMessage,
  { answer, template }: { answer: Outcome; template: string },
): Promise<void> {
  if (answer.kind !== 'accepted') return;
  const accepted = { claim: newest.claim ?? '', at: ctx.clock.now(), template };
  await retryWrite(ctx, claim.claimedAt, () => ctx.stores.notifications.noteAccepted(rows, accepted));
}

function itemsOf(ctx: Context, { rows, user }: ClaimedMessage): DigestItem[] {
  return rows.flatMap(({ facts, observed_at: observedAt }) => {
    if (!facts) return [];
    return [{ facts, observedAt, link: linkOf(ctx, user, facts.user_case_id) }];
  });
}

/** Where a message about a case leads. */
export function linkOf({ config }: Context, user: RecipientUser, userCaseId: string): string {
  const { APP_URL: appUrl = null, PUBLIC_URL: publicUrl } = config;
  return caseLink({
    partner: partnerOf(user),
    appUrl,
    publicUrl,
    userCaseId,
    language: user.preferred_language,
  });
}

/** Null for a direct user. */
function partnerOf(user: RecipientUser) {
  if (user.partner_id === null) return null;
  return {
    name: user.partner_name ?? '',
    logo_url: user.partner_logo_url,
    support_contact: user.partner_support_contact,
    case_url: user.partner_case_url,
  };
}
