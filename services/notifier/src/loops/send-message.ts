import type { Context } from '../context.ts';
import { recordInCircuits } from './circuit-scope.ts';
import { type ClaimedMessage, idOfMessage } from './claimed-message.ts';
import { deliverEmail } from './deliver-email.ts';
import { deliverWhatsapp } from './deliver-whatsapp.ts';
import { sendLeaseMs } from './retry-write.ts';
import type { Result } from './settler.ts';
import { inSpanOfRow } from './span-of-row.ts';

/** Submits a claimed message once, in the trace of its newest update. */
export async function sendMessage(ctx: Context, message: ClaimedMessage): Promise<Result> {
  const { attempts } = message.newest;
  return await inSpanOfRow(message.newest, message.channel, async (noteOutcome) => {
    // After a pause of the process the claims may end before the submission does.
    const leftMs = message.claim.claimedAt + sendLeaseMs(ctx.config) - performance.now();
    if (leftMs < ctx.config.NOTIFY_SEND_TIMEOUT_MS) throw new Error('too late to send: the claim ends');
    const deliver = message.channel === 'email' ? deliverEmail : deliverWhatsapp;
    const { outcome: answer, template } = await deliver(ctx, message);
    const outcome = recordInCircuits(ctx, message, answer);
    noteOutcome(outcome);
    const updates = message.rows.length;
    const fields = { notification: idOfMessage(message), updates, attempts, outcome: outcome.kind };
    if (outcome.kind === 'accepted') ctx.log.info(fields, 'message accepted');
    else if (outcome.kind === 'held')
      ctx.log.info({ ...fields, reason: outcome.error }, 'message is due again');
    else ctx.log.warn({ ...fields, reason: outcome.error }, 'message not accepted');
    return { message, outcome, template };
  });
}
