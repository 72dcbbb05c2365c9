import type { UserReply } from '@casewatch/contracts';
import type { Context } from '../context.ts';
import { caseLink } from '../domain/case-link.ts';
import { statusMessageId } from '../domain/message-id.ts';
import type { NotificationFacts } from '../domain/notification-facts.ts';
import type { Outcome } from '../domain/outcome.ts';
import type { Recipient } from '../domain/skip-reason.ts';
import { unsubscribeToken } from '../domain/unsubscribe-token.ts';
import type { NotificationRow } from '../store/notification-model.ts';
import { renderStatusMail } from '../templates/status-mail.ts';

type Message = { row: NotificationRow; facts: NotificationFacts; user: UserReply; recipient: Recipient };

export async function deliverEmail(ctx: Context, message: Message): Promise<Outcome> {
  const { row, facts, user, recipient } = message;
  const { config } = ctx;
  const { partner } = recipient;
  const token = unsubscribeToken(ctx.links, user.id, 'email');
  const unsubscribe = `${config.PUBLIC_URL}/v1/unsubscribe?token=${token}`;
  const mail = renderStatusMail({
    language: user.preferred_language,
    facts,
    observedAt: row.observed_at,
    partner,
    link: caseLink({ partner, appUrl: config.APP_URL ?? null, userCaseId: facts.user_case_id }),
    unsubscribe,
  });
  return await ctx.statusMailer.send({
    ...mail,
    to: user.email,
    replyTo: partner?.reply_to ?? null,
    messageId: statusMessageId(row.status_update_id, config.MAIL_FROM),
    headers: {
      // RFC 2369, RFC 8058 §3.1.
      'List-Unsubscribe': `<${unsubscribe}>`,
      'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
    },
  });
}
