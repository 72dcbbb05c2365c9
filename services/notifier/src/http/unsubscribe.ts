import type { Channel, Language } from '@casewatch/contracts';
import {
  ApiError,
  answerPage,
  type Call,
  type Handler,
  type PageAnswer,
  type PageReader,
  pageBrandOf,
} from '@casewatch/platform';
import { optOut } from '../changes/opt-out.ts';
import { fetchUser, type UserAnswer } from '../clients/identity.ts';
import type { Context } from '../context.ts';
import { readUnsubscribeToken, type UnsubscribeLink, unsubscribeToken } from '../domain/unsubscribe-token.ts';
import { confirmPage, donePage, invalidPage } from './pages/unsubscribe-page.ts';

const instructions: Record<Channel, string> = {
  email: 'POST to this address to get no more e-mails about your cases.',
  whatsapp: 'POST to this address to get no more WhatsApp messages about your cases.',
};

const confirmations: Record<Channel, string> = {
  email: 'You will get no more e-mails about your cases.',
  whatsapp: 'You will get no more WhatsApp messages about your cases.',
};

/** GET /v1/unsubscribe?token=. Shows a button and changes nothing, because mail scanners open links. */
export function unsubscribePage(ctx: Context): Handler<'unsubscribe_page'> {
  return async (call) => {
    const { token } = call.query;
    const link = readUnsubscribeToken(ctx.links, token);
    if (!link) return refuseLink(call);
    const { userId, channel } = link;
    if (!call.wantsPage) return { body: { channel, message: instructions[channel] } };
    const user = await fetchUser(ctx, userId);
    return answerPage(
      confirmPage(readerOf(user, call), { channel, token, other: otherLink(ctx, link, user) }),
    );
  };
}

/** POST /v1/unsubscribe?token=, from a mail program (RFC 8058), the page or a program. The body is ignored. */
export function unsubscribe(ctx: Context): Handler<'unsubscribe'> {
  return async (call) => {
    const link = readUnsubscribeToken(ctx.links, call.query.token);
    if (!link) return refuseLink(call);
    const { userId, channel } = link;
    const user = await fetchUser(ctx, userId);
    await optOut(ctx, link, user);
    if (call.wantsPage)
      return answerPage(
        donePage(readerOf(user, call), { channel, other: otherLink(ctx, link, user), path: pathOf(call) }),
      );
    return { body: { success: true, message: confirmations[channel], channel } };
  };
}

/** The same link for the other channel, if the person gets messages there. A token is good for one channel only. */
function otherLink(
  ctx: Context,
  { userId, channel }: UnsubscribeLink,
  user: UserAnswer,
): { channel: Channel; token: string } | null {
  if (typeof user === 'string') return null;
  const isOn = { email: user.notify_by_whatsapp && user.phone !== null, whatsapp: user.notify_by_email };
  const other = channel === 'email' ? 'whatsapp' : 'email';
  return isOn[channel] ? { channel: other, token: unsubscribeToken(ctx.links, userId, other) } : null;
}

/** @throws ApiError invalid_verification_token, unless the caller is a browser */
function refuseLink(call: Pick<Call<'unsubscribe_page'>, 'wantsPage' | 'language' | 'url'>): PageAnswer {
  const message = 'This unsubscribe link is not valid.';
  const refusal = new ApiError('invalid_verification_token', { message });
  if (!call.wantsPage) throw refusal;
  return answerPage(invalidPage(call.language, pathOf(call)), refusal.status);
}

/** For a person who is deleted: in the language of the browser, and in the name of nobody. */
function readerOf(user: UserAnswer, { language }: { language: Language }): PageReader {
  if (typeof user === 'string') return { language, brand: null };
  return {
    language: user.preferred_language,
    brand: pageBrandOf(user.partner_name, user.partner_logo_url),
  };
}

/** Without the token. */
function pathOf({ url }: { url: string }): string {
  const [path = ''] = url.split('?');
  return path;
}
