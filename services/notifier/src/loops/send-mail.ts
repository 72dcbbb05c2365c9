import type { MailPartner } from '@casewatch/contracts';
import type { Context } from '../context.ts';
import { accountMessageId } from '../domain/message-id.ts';
import type { Outcome } from '../domain/outcome.ts';
import { queuedMail, type RequestedMail } from '../domain/queued-mail.ts';
import { retryDelayMs } from '../domain/retry-delay.ts';
import type { MailRow } from '../store/mails.ts';
import { renderAccountMail } from '../templates/account-mail.ts';
import { renderEndpointMail } from '../templates/endpoint-mail.ts';
import type { RenderedMail } from '../templates/layout.ts';
import { answerStop } from './answer-stop.ts';
import { retryWrite } from './retry-write.ts';
import { inSpanOfRow } from './span-of-row.ts';

/** Sends one claimed mail that another service asked for, and erases its content when nothing more is to be sent. */
export async function sendMail(ctx: Context, row: MailRow): Promise<void> {
  const claimedAt = performance.now();
  const now = ctx.clock.now();
  if (row.expires_at <= now || row.sealed === null) {
    await ctx.stores.mails.change(row, { ...finalFields, status: 'expired', attempts: row.attempts - 1 });
    return;
  }
  const request = queuedMail.parse(JSON.parse(ctx.box.open(row.sealed, row._id)));
  if (request.kind === 'member_alerts' || request.kind === 'member_digest')
    throw new Error(`mail ${row._id} is of another lane`);
  if (request.kind === 'stop_confirmation') {
    await inSpanOfRow(row, 'whatsapp', async (noteOutcome) => {
      const { outcome: answer, isOfTwilio } = await answerStop(ctx, row, request);
      noteOutcome(answer);
      const scope = isOfTwilio ? 'whatsapp' : null;
      await settle(ctx, row, { answer, recipient: request.to, claimedAt, scope });
    });
    return;
  }
  if (request.kind === 'verify_reminder' && (await isSuppressed(ctx, request.to))) {
    const attempts = row.attempts - 1;
    await ctx.stores.mails.change(row, {
      ...finalFields,
      status: 'expired',
      attempts,
      last_error: 'suppressed',
    });
    return;
  }
  const mail = {
    ...render(ctx, request, now),
    to: request.to,
    replyTo: partnerOf(request)?.reply_to ?? null,
    messageId: accountMessageId(row._id, row.kind, ctx.config.MAIL_FROM),
    headers: {},
  };
  await inSpanOfRow(row, 'mail', async (noteOutcome) => {
    await ctx.accountMailer.send(mail, {
      async keep(answer) {
        noteOutcome(answer);
        await settle(ctx, row, { answer, recipient: request.to, claimedAt, scope: 'mails' });
      },
    });
  });
}

/** Nobody asked for a reminder: an address that bounced or complained gets none. What a person asks for is sent all the same. */
async function isSuppressed({ stores, addressHashes }: Context, email: string): Promise<boolean> {
  return (await stores.addressSuppressions.findAll(addressHashes.all('email', email))).size > 0;
}

type Answered = {
  answer: Outcome;
  recipient: string;
  /** The circuit of the provider that answered; null: none was asked. */
  scope: 'mails' | 'member_mails' | 'whatsapp' | null;
};

async function settle(
  ctx: Context,
  row: MailRow,
  { claimedAt, ...answered }: Answered & { claimedAt: number },
): Promise<void> {
  const change = changeAfter(ctx, row, recordAnswer(ctx, row, answered));
  await retryWrite(ctx, claimedAt, () => ctx.stores.mails.change(row, change));
  if (change.dueInMs !== null) ctx.alarms.set('mails', change.dueInMs);
}

/** Counts and logs an answer. Returns what the circuit makes of it. */
export function recordAnswer(ctx: Context, row: MailRow, { answer, recipient, scope }: Answered): Outcome {
  if (scope !== null) ctx.metrics.submitted(scope, answer);
  const at = { nowMs: performance.now(), recipient };
  const outcome = scope === null ? answer : ctx.circuits.of(scope).record(answer, at);
  const fields = { mail: row._id, kind: row.kind, attempts: row.attempts, outcome: outcome.kind };
  if (outcome.kind === 'accepted') ctx.log.info(fields, 'mail accepted');
  else if (outcome.kind === 'held') ctx.log.info({ ...fields, reason: outcome.error }, 'mail is due again');
  else ctx.log.warn({ ...fields, reason: outcome.error }, 'mail not accepted');
  return outcome;
}

export const finalFields = { dueInMs: null, sealed: null } as const;

/** What becomes of a mail after an attempt. */
export function changeAfter(ctx: Context, row: MailRow, outcome: Outcome) {
  const now = ctx.clock.now();
  if (outcome.kind === 'accepted')
    return { ...finalFields, status: 'sent', sent_at: now, last_error: null, provider_text: null } as const;
  if (outcome.kind === 'held') return { status: 'pending', attempts: row.attempts - 1, dueInMs: 0 } as const;
  // Without a user the row is not erased with the person.
  const said = row.user_id === null ? null : (outcome.said ?? null);
  const error = { last_error: outcome.error, provider_text: said };
  if (outcome.kind === 'permanent') return { ...finalFields, ...error, status: 'failed' } as const;
  const isAttempt = outcome.kind !== 'configuration' && !(outcome.kind === 'transient' && !outcome.counts);
  const attempts = isAttempt ? row.attempts : row.attempts - 1;
  const draw = { scale: ctx.config.NOTIFY_RETRY_SCALE, random: ctx.random() };
  const dueInMs = retryDelayMs(row.kind, attempts, draw);
  if (dueInMs === null) return { ...finalFields, ...error, status: 'failed' } as const;
  if (now.getTime() + dueInMs >= row.expires_at.getTime())
    return { ...finalFields, ...error, status: 'expired' } as const;
  return { ...error, status: 'pending', attempts, dueInMs } as const;
}

function render({ config }: Context, request: RequestedMail, now: Date): RenderedMail {
  const { kind, language } = request;
  if (kind === 'endpoint_failing') return renderEndpointMail(noticeOf(request, config.PUBLIC_URL), language);
  const reader = { language, partner: partnerOf(request) };
  if (kind === 'address_taken') return renderAccountMail({ kind }, reader);
  if (kind === 'partner_deletion')
    return renderAccountMail({ kind, endsAt: new Date(request.ends_at) }, reader);
  if (kind === 'settings_changed')
    return renderAccountMail({ kind, link: request.link, settings: request.settings }, reader);
  if (kind === 'second_factor_changed') {
    const { link, change, codes_left: codesLeft } = request;
    return renderAccountMail({ kind, link, change, codesLeft }, reader);
  }
  if (kind !== 'login_code') return renderAccountMail({ kind, link: request.link }, reader);
  const leftMs = new Date(request.expires_at).getTime() - now.getTime();
  // Rounded: after some seconds in the queue, ten minutes are still shown as ten.
  const validMinutes = Math.max(1, Math.round(leftMs / 60_000));
  const isForStaff = request.for_staff === true;
  return renderAccountMail({ kind, code: request.code, validMinutes, isForStaff }, reader);
}

/** Null for a mail to a partner itself. */
function partnerOf(request: RequestedMail): MailPartner | null {
  return ('partner' in request && request.partner) || null;
}

function noticeOf(request: Extract<RequestedMail, { kind: 'endpoint_failing' }>, publicUrl: string) {
  const { stage, webhook_id: webhookId, host, description, error } = request;
  const times = { failingSince: new Date(request.failing_since), disabledAt: new Date(request.disabled_at) };
  return { stage, webhookId, host, description, error, ...times, reference: `${publicUrl}/docs` };
}
