import type { Channel } from '@casewatch/contracts';
import { answerPage, type Handler } from '@casewatch/platform';
import { optOut } from '../changes/opt-out.ts';
import { askUser } from '../clients/identity.ts';
import type { Context } from '../context.ts';
import { readUnsubscribeToken } from '../domain/unsubscribe-token.ts';
import { donePage } from './pages/unsubscribe-page.ts';
import { languageOf, refuseLink } from './refuse-link.ts';

const messages: Record<Channel, string> = {
  email: 'You will get no more e-mails about your cases.',
  whatsapp: 'You will get no more WhatsApp messages about your cases.',
};

/**
 * POST /v1/unsubscribe?token=. The one click of a mail program (RFC 8058), the button of the page, or a program: the
 * token in the query is all that counts, whatever the body says.
 */
export function unsubscribe(ctx: Context): Handler<'unsubscribe'> {
  return async (call) => {
    const link = readUnsubscribeToken(ctx.links, call.query.token);
    if (!link) return refuseLink(call);
    const { userId, channel } = link;
    const asked = await askUser(ctx, userId);
    await optOut(ctx, link, asked);
    if (call.wantsPage) return answerPage(donePage(languageOf(asked), channel));
    return { body: { success: true, message: messages[channel], channel } };
  };
}
