import { type Language, language } from '@casewatch/contracts';
import { fetchUser, type UserAnswer } from '../clients/identity.ts';
import { clockSkewMs, type Whatsapp } from '../clients/twilio.ts';
import type { Context } from '../context.ts';
import type { Outcome } from '../domain/outcome.ts';
import type { StopConfirmation } from '../domain/queued-mail.ts';
import type { MailRow } from '../store/mails.ts';
import { stopConfirmation } from '../templates/stop-confirmation.ts';

/** `isOfTwilio`: Twilio was asked, so the outcome says something of the channel. */
export type StopAnswer = { outcome: Outcome; isOfTwilio: boolean };

/** Confirms a stop word, in the language of the person whose number it is. */
export async function answerStop(
  ctx: Context,
  row: MailRow,
  { to: phone, user_ids }: StopConfirmation,
): Promise<StopAnswer> {
  if (ctx.whatsapp === null) return unsent('permanent', 'channel_not_configured: this channel is not set up');
  const owner = await ownerOf(ctx, phone, user_ids);
  if (owner === 'away') return unsent('transient', 'identity: identity did not answer');
  if (owner === null) return unsent('permanent', 'no_address: the number belongs to no user');
  const textIn = (of: Language) => stopConfirmation[of](`${ctx.config.PUBLIC_URL}/settings`);
  // After a kill or without an answer: Twilio may have the message, perhaps in the language that the person had then.
  const texts = language.options.map(textIn);
  const sent =
    row.attempts > 1 ? await findSent(ctx.whatsapp, { phone, since: row.created_at, texts }) : null;
  const outcome = sent ?? (await ctx.whatsapp.answer({ phone, body: textIn(owner.preferred_language) }));
  return { outcome, isOfTwilio: true };
}

/** The first user whose number it is now; null: nobody. */
async function ownerOf(
  ctx: Context,
  phone: string,
  userIds: readonly number[],
): Promise<Exclude<UserAnswer, 'gone'> | null> {
  for (const userId of userIds) {
    const answer = await fetchUser(ctx, userId);
    if (answer === 'away') return 'away';
    if (answer !== 'gone' && answer.phone === phone) return answer;
  }
  return null;
}

type Search = { phone: string; since: Date; texts: readonly string[] };

/** The outcome of an earlier attempt; null if Twilio does not have the message. */
async function findSent(whatsapp: Whatsapp, { phone, since, texts }: Search): Promise<Outcome | null> {
  try {
    const messages = await whatsapp.find(phone, new Date(since.getTime() - clockSkewMs));
    const found = messages.find(({ body }) => texts.includes(body));
    return found ? { kind: 'accepted', provider_message_id: found.sid } : null;
  } catch (error) {
    return { kind: 'transient', error: error instanceof Error ? error.message : 'unknown', counts: true };
  }
}

function unsent(kind: 'permanent' | 'transient', error: string): StopAnswer {
  return {
    outcome: kind === 'permanent' ? { kind, error } : { kind, error, counts: false },
    isOfTwilio: false,
  };
}
