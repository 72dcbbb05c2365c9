import { ApiError, type Handler, isTransient } from '@casewatch/platform';
import { applyReport } from '../changes/apply-report.ts';
import { endMessages } from '../changes/end-messages.ts';
import { suppressAddress } from '../changes/suppress-address.ts';
import type { Context } from '../context.ts';
import { type MailReport, readResend, readSendgrid } from '../domain/mail-report.ts';
import { readMessageId } from '../domain/message-id.ts';
import { readSignedEvents } from '../domain/signed-events.ts';

/** POST /v1/callbacks/email/{provider}: what became of mails, signed. One bad event costs no other. */
export function emailCallback(ctx: Context): Handler<'email_callback'> {
  return async (call) => {
    const { provider } = call.params;
    const isSigned = ctx.mailCallbacks[provider];
    if (!isSigned?.(call.bytes, call.header, ctx.clock.now())) throw new ApiError('invalid_signature');
    const items = readSignedEvents(call.bytes);
    if (items === null) throw new ApiError('malformed_json');
    const { reports, unreadable } =
      provider === 'sendgrid' ? readSendgrid(items) : readResend(items, call.header('svix-id'));
    const failed = await takeAll(ctx, provider, reports);
    const bad = unreadable + failed;
    if (bad === 0) return {};
    ctx.metrics.badEvents(provider, bad);
    ctx.log.warn({ provider, events: items.length, bad }, 'mail provider events not readable');
    return {};
  };
}

type Provider = 'sendgrid' | 'resend';

/**
 * Each event once: a recorded call must not suppress again what was lifted meanwhile.
 * @returns the number of those that can never be handled
 * @throws the error of an event that can be handled later: the provider sends all of them again
 */
async function takeAll(ctx: Context, provider: Provider, reports: readonly MailReport[]): Promise<number> {
  const keyOf = ({ id }: MailReport) => `${provider}:${id}`;
  const known = await ctx.stores.providerEvents.among(reports.map(keyOf));
  const done: string[] = [];
  let later: unknown;
  let failed = 0;
  for (const report of reports) {
    const key = keyOf(report);
    if (known.has(key)) continue;
    known.add(key);
    try {
      await take(ctx, report);
      done.push(key);
    } catch (error) {
      if (isTransient(error) || error instanceof ApiError) later = error;
      else {
        failed += 1;
        ctx.log.error({ provider, err: error }, 'mail provider event not handled');
      }
    }
  }
  await ctx.stores.providerEvents.add(done, 'signed for a day');
  if (later !== undefined) throw later;
  return failed;
}

async function take(ctx: Context, report: MailReport): Promise<void> {
  const { address, messageId, status, suppresses, lifts, failure } = report;
  if (address !== null && lifts)
    await ctx.stores.addressSuppressions.remove(ctx.addressHashes.all('email', address), ['opt_out']);
  if (address !== null && suppresses === 'opt_out') await endMessages(ctx, { channel: 'email', address });
  else if (address !== null && suppresses !== null)
    await suppressAddress(ctx, 'email', address, { reason: suppresses, days: null });
  const id = messageId && readMessageId(messageId, ctx.config.MAIL_FROM);
  if (!id || status === null) return;
  await applyReport(ctx, { channel: 'email', id }, { providerId: null, providerStatus: status, failure });
}
