import type { UserReply } from '@casewatch/contracts';
import type { SubmittedMessage, Whatsapp } from '../clients/twilio.ts';
import type { Context } from '../context.ts';
import type { NotificationFacts } from '../domain/notification-facts.ts';
import type { Outcome } from '../domain/outcome.ts';
import type { NotificationRow } from '../store/notification-model.ts';
import { titleIn } from '../templates/update-content.ts';

type Message = { row: NotificationRow; facts: NotificationFacts; user: UserReply; whatsapp: Whatsapp };

/** Submits the template once. Its variables are the title and the receipt's last four digits (notifier.md). */
export async function deliverWhatsapp(ctx: Context, message: Message): Promise<Outcome> {
  const { row, facts, user, whatsapp } = message;
  const contentSid = whatsapp.contentSid(user.preferred_language);
  if (user.phone === null || contentSid === null) throw new Error('this message was to be skipped');
  return await whatsapp.send({
    phone: user.phone,
    contentSid,
    variables: variablesOf(facts, user),
    // Only characters that need no escaping: the signature covers the exact address.
    statusCallback: `${ctx.config.PUBLIC_URL}/v1/callbacks/twilio?n=${row._id}&a=${row.attempts}`,
  });
}

/** Twilio's clock may differ by this, and it rounds to seconds; ms. */
const clockSkewMs = 5_000;
/** A submission reaches Twilio within this time, ms. */
const windowMs = 60_000;

/** The message at Twilio that an ambiguous submission created: the oldest that fits and has no notification. */
export async function findSubmission(ctx: Context, { row, facts, user, whatsapp }: Message) {
  if (user.phone === null || row.attempt_started_at === null) return null;
  const from = row.attempt_started_at.getTime() - clockSkewMs;
  const messages = await whatsapp.find(user.phone, new Date(from));
  const ownedIds = await ctx.stores.notifications.ownedProviderIds(messages.map(({ sid }) => sid));
  const variables = Object.values(variablesOf(facts, user));
  // Twilio does not list our id. If it lists the text, the variables are in it.
  const isCandidate = ({ sid, body, createdAt }: SubmittedMessage) => {
    const hasText = body === '' || variables.every((variable) => body.includes(variable));
    const at = createdAt.getTime();
    return !ownedIds.has(sid) && hasText && at >= from && at <= from + windowMs;
  };
  const byAge = (a: SubmittedMessage, b: SubmittedMessage) => a.createdAt.getTime() - b.createdAt.getTime();
  return messages.filter(isCandidate).sort(byAge)[0] ?? null;
}

function variablesOf(facts: NotificationFacts, user: UserReply): Record<string, string> {
  return { 1: titleIn(facts.title, user.preferred_language), 2: facts.receipt_masked.slice(-4) };
}
