import type { Channel } from '@casewatch/contracts';
import { answerPage, type Handler } from '@casewatch/platform';
import { askUser } from '../clients/identity.ts';
import type { Context } from '../context.ts';
import { readUnsubscribeToken } from '../domain/unsubscribe-token.ts';
import { confirmPage } from './pages/unsubscribe-page.ts';
import { languageOf, refuseLink } from './refuse-link.ts';

const messages: Record<Channel, string> = {
  email: 'POST to this address to get no more e-mails about your cases.',
  whatsapp: 'POST to this address to get no more WhatsApp messages about your cases.',
};

/** GET /v1/unsubscribe?token=. It asks to press a button and changes nothing: mail scanners open links. */
export function unsubscribePage(ctx: Context): Handler<'unsubscribe_page'> {
  return async (call) => {
    const { token } = call.query;
    const link = readUnsubscribeToken(ctx.links, token);
    if (!link) return refuseLink(call);
    const { userId, channel } = link;
    if (!call.wantsPage) return { body: { channel, message: messages[channel] } };
    return answerPage(confirmPage(languageOf(await askUser(ctx, userId)), channel, token));
  };
}
