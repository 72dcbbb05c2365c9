import type { UserReply } from '@casewatch/contracts';
import type { Whatsapp } from '../clients/twilio.ts';
import type { Context } from '../context.ts';
import type { NotificationFacts } from '../domain/notification-facts.ts';
import type { Outcome } from '../domain/outcome.ts';
import { pickSubmission } from '../domain/pick-submission.ts';
import type { NotificationRow } from '../store/notification-row.ts';
import { titleIn } from '../templates/status-mail.ts';

type Message = { row: NotificationRow; facts: NotificationFacts; user: UserReply; whatsapp: Whatsapp };

/** Submits the template once. Its text carries no name: only the title and the receipt's last four (notifier.md). */
export async function deliverWhatsapp(ctx: Context, message: Message): Promise<Outcome> {
  const { row, facts, user, whatsapp } = message;
  const contentSid = whatsapp.contentSid(user.preferred_language);
  if (user.phone === null || contentSid === null) throw new Error('this message was to be skipped');
  return await whatsapp.send({
    phone: user.phone,
    contentSid,
    variables: variablesOf(facts, user),
    // Ids and digits alone, which need no escaping; the signature covers the address to the letter.
    statusCallback: `${ctx.config.PUBLIC_URL}/v1/callbacks/twilio?n=${row._id}&a=${row.attempts}`,
  });
}

/** What became of a submission that may have been accepted, if Twilio knows it; null: it does not. */
export async function findSubmission(ctx: Context, message: Message) {
  const { row, facts, user, whatsapp } = message;
  const startedAt = row.attempt_started_at;
  if (user.phone === null || startedAt === null) return null;
  const found = await whatsapp.find(user.phone, new Date(startedAt.getTime() - clockSkewMs));
  const owned = await ctx.stores.notifications.ownedProviderIds(found.map(({ sid }) => sid));
  return pickSubmission(found, { owned, startedAt, variables: Object.values(variablesOf(facts, user)) });
}

/** Twilio's clock may differ from ours by this, and it tells whole seconds; ms. */
const clockSkewMs = 5_000;

function variablesOf(facts: NotificationFacts, user: UserReply): Record<string, string> {
  return { 1: titleIn(facts.title, user.preferred_language), 2: facts.receipt_masked.slice(-4) };
}
