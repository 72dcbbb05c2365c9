import { ApiError, type Handler, parseStrictly } from '@casewatch/platform';
import { applyReport } from '../changes/apply-report.ts';
import { suppressAddress } from '../changes/suppress-address.ts';
import type { Context } from '../context.ts';
import { type MailReport, readResend, readSendgrid } from '../domain/mail-report.ts';
import { readMessageId } from '../domain/message-id.ts';

const readers = { sendgrid: readSendgrid, resend: readResend };

/** POST /v1/callbacks/email/{provider}: bounces, complaints and deliveries, signed. */
export function emailCallback(ctx: Context): Handler<'email_callback'> {
  return async (call) => {
    const { provider } = call.params;
    const isSigned = ctx.mailCallbacks[provider];
    if (!isSigned?.(call.bytes, call.header)) throw new ApiError('invalid_signature');
    for (const report of readers[provider](parseBody(call.bytes))) await take(ctx, report);
    return {};
  };
}

function parseBody(bytes: Buffer): unknown {
  // The strict parser takes objects only; SendGrid sends an array.
  return (
    parseStrictly(Buffer.concat([Buffer.from('{"body":'), bytes, Buffer.from('}')])) as { body: unknown }
  ).body;
}

async function take(ctx: Context, { address, messageId, event, error }: MailReport): Promise<void> {
  if (address !== null && (event === 'hard_bounce' || event === 'complaint'))
    await suppressAddress(ctx, 'email', address, { reason: event, days: null });
  const id = messageId && readMessageId(messageId, ctx.config.MAIL_FROM);
  if (!id || event === 'complaint') return;
  const providerStatus = event === 'delivered' ? 'delivered' : 'failed';
  await applyReport(ctx, { channel: 'email', id }, { providerId: null, providerStatus, error });
}
