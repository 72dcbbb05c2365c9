import { inContext, newContext } from '@casewatch/platform';
import type { Context } from '../context.ts';
import { recordInCircuits } from './circuit-scope.ts';
import { type ClaimedMessage, idOfMessage } from './claimed-message.ts';
import { type Delivery, deliverEmail } from './deliver-email.ts';
import { deliverWhatsapp } from './deliver-whatsapp.ts';
import { sendLeaseMs } from './retry-write.ts';
import type { Settler } from './settler.ts';

/** Submits a claimed message once, in the trace of its newest update, and stores the outcome. */
export async function sendMessage(ctx: Context, settler: Settler, message: ClaimedMessage): Promise<void> {
  const { request_id, traceparent } = message.newest;
  await inContext(newContext(request_id, traceparent), async () => {
    // After a pause of the process the claims may end before the submission does.
    const leftMs = message.claim.claimedAt + sendLeaseMs(ctx.config) - performance.now();
    if (leftMs < ctx.config.NOTIFY_SEND_TIMEOUT_MS) throw new Error('too late to send: the claim ends');
    const { outcome: answer, template } = await submit(ctx, message);
    const outcome = recordInCircuits(ctx, message, answer);
    const fields = {
      notification: idOfMessage(message),
      updates: message.rows.length,
      attempts: message.newest.attempts,
      outcome: outcome.kind,
    };
    if (outcome.kind === 'accepted') ctx.log.info(fields, 'message accepted');
    else ctx.log.warn({ ...fields, reason: outcome.error }, 'message not accepted');
    await settler.settle({ message, outcome, template });
  });
}

async function submit(ctx: Context, message: ClaimedMessage): Promise<Delivery> {
  return message.channel === 'email' ? await deliverEmail(ctx, message) : await deliverWhatsapp(ctx, message);
}
