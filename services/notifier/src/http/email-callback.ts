import type { Params } from '@casewatch/contracts';
import { ApiError, type Handler, isTransient } from '@casewatch/platform';
import { applyReport } from '../changes/apply-report.ts';
import { endMessages } from '../changes/end-messages.ts';
import { suppressAddress } from '../changes/suppress-address.ts';
import type { Context } from '../context.ts';
import {
  type MailReport,
  type ReadReports,
  readResend,
  readSendgrid,
  readSes,
} from '../domain/mail-report.ts';
import { readMemberMessageId, readMessageId } from '../domain/message-id.ts';
import { readSignedEvents } from '../domain/signed-events.ts';
import { readSnsMessage } from '../domain/sns-message.ts';
import { mailCameBack } from '../firm/take-report.ts';

/** POST /v1/callbacks/email/{provider}: what became of mails, signed. One bad event costs no other. */
export function emailCallback(ctx: Context): Handler<'email_callback'> {
  return async (call) => {
    const { provider } = call.params;
    const { bytes } = call;
    if (provider === 'ses') return await bySns(ctx, bytes);
    const isSigned = ctx.mailCallbacks[provider];
    if (!isSigned?.(bytes, call.header, ctx.clock.now())) throw new ApiError('invalid_signature');
    const items = readSignedEvents(bytes);
    if (items === null) throw new ApiError('malformed_json');
    const read = provider === 'sendgrid' ? readSendgrid(items) : readResend(items, call.header('svix-id'));
    return await takeRead(ctx, provider, read);
  };
}

/** SES reports to a topic of SNS, which first asks whether its messages are wanted here. */
async function bySns(ctx: Context, bytes: Buffer) {
  const message = readSnsMessage(readSignedEvents(bytes)?.[0]);
  if (!ctx.sns || !message || !(await ctx.sns.isSigned(message, ctx.clock.now())))
    throw new ApiError('invalid_signature');
  if (message.Type === 'SubscriptionConfirmation') {
    await ctx.sns.confirm(message);
    ctx.log.info('subscription to the reports of Amazon SES confirmed');
    return {};
  }
  if (message.Type === 'UnsubscribeConfirmation') {
    ctx.log.warn(
      'the topic with the reports of Amazon SES has ended its subscription: no more bounces arrive',
    );
    return {};
  }
  // A sentence, which SES sends once when the topic is chosen.
  if (message.Message.startsWith('Successfully validated SNS topic')) return {};
  const item = readSignedEvents(Buffer.from(message.Message))?.[0];
  return await takeRead(ctx, 'ses', readSes(item, message.MessageId));
}

async function takeRead(ctx: Context, provider: Provider, { reports, unreadable }: ReadReports) {
  const failed = await takeAll(ctx, provider, reports);
  const bad = unreadable + failed;
  if (bad === 0) return {};
  ctx.metrics.badEvents(provider, bad);
  ctx.log.warn({ provider, events: reports.length + unreadable, bad }, 'mail provider events not readable');
  return {};
}

type Provider = Params<'email_callback'>['provider'];

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
  const memberMail = messageId && readMemberMessageId(messageId, ctx.config.MAIL_FROM);
  if (memberMail && status === 'failed') await mailCameBack(ctx, memberMail);
  const id = messageId && readMessageId(messageId, ctx.config.MAIL_FROM);
  if (!id || status === null) return;
  await applyReport(ctx, { channel: 'email', id }, { providerId: null, providerStatus: status, failure });
}
