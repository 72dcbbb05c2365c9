import { databaseTime, type Session, transaction } from '@casewatch/platform/database';
import { suppressAddress } from '../changes/suppress-address.ts';
import type { Context } from '../context.ts';
import { quietEnd } from '../domain/local-time.ts';
import { memberMessageId } from '../domain/message-id.ts';
import type { Outcome } from '../domain/outcome.ts';
import { type MemberAlerts, type MemberDigestMail, queuedMail } from '../domain/queued-mail.ts';
import { retryWrite, sendLeaseMs } from '../loops/retry-write.ts';
import { changeAfter, finalFields, recordAnswer } from '../loops/send-mail.ts';
import { inSpanOfRow } from '../loops/span-of-row.ts';
import { type AlertReason, type AlertRow, breaksQuiet, goesAlong } from '../store/alerts.ts';
import { inQuietHours, type MailRow } from '../store/mails.ts';
import type { RenderedMail } from '../templates/layout.ts';
import { renderMemberDigest } from '../templates/member-digest.ts';
import { type MemberFrame, renderMemberMail } from '../templates/member-mail.ts';
import { changeAlerts } from './change-alerts.ts';
import { type Composition, composeAlerts, type FoundReader, findReader } from './compose-alerts.ts';
import { composeDigest } from './compose-digest.ts';
import { memberLinks } from './member-links.ts';
import { firmGoneMs } from './member-mail.ts';

/** Time until a mail is due again whose questions had no answer, ms. It is no attempt. */
const awayMs = 5_000;

/**
 * Sends one claimed mail to a member. What it says is written anew with each attempt, and everything that it was to tell is settled with
 * it in one transaction: sent, or left to the next in line where it is urgent.
 */
export async function sendMemberMail(ctx: Context, row: MailRow): Promise<'done' | 'away'> {
  const claimedAt = performance.now();
  if (row.sealed === null || row.expires_at <= ctx.clock.now()) {
    await end(ctx, row, 'expired');
    return 'done';
  }
  const request = queuedMail.parse(JSON.parse(ctx.box.open(row.sealed, row._id)));
  if (request.kind !== 'member_alerts' && request.kind !== 'member_digest')
    throw new Error(`mail ${row._id} is of another lane`);
  const composed = await compose(ctx, row, request).catch((error: unknown) => {
    ctx.log.info({ mail: row._id, err: error }, 'identity or cases unavailable; the mail waits');
    return null;
  });
  if (composed === null) {
    await wait(ctx, row, { ms: awayMs });
    return 'away';
  }
  if (composed === 'firm_gone' && (await mayComeBack(ctx, request)))
    await wait(ctx, row, { ms: firmGoneMs * ctx.config.NOTIFY_RETRY_SCALE, last_error: composed });
  else if (typeof composed === 'string') await end(ctx, row, composed);
  else {
    await leaveOut(ctx, row, composed.leftOut);
    if (composed.quietMs) await wait(ctx, row, { ms: composed.quietMs, last_error: inQuietHours });
    else if (composed.written !== null) await submit(ctx, row, { written: composed.written, claimedAt });
    else await ctx.stores.memberMails.change(row, { ...ended(row), last_error: 'nothing_to_tell' });
  }
  return 'done';
}

/** A mail without its links, which depend on its reader. */
type Written = {
  reader: FoundReader;
  render(links: Pick<MemberFrame, 'settingsLink' | 'offLink'>): RenderedMail;
};

/** `quietMs`: time until the reader's quiet hours end, where nothing of it breaks them. */
type WrittenMail = Pick<Composition, 'leftOut'> & { written: Written | null; quietMs?: number };

async function compose(
  ctx: Context,
  row: MailRow,
  request: MemberAlerts | MemberDigestMail,
): Promise<WrittenMail | AlertReason> {
  if (request.kind === 'member_digest') return await writeDigest(ctx, request);
  const reader = await findReader(ctx, request);
  if (typeof reader === 'string') return reader;
  const quietMs = await quietTimeLeft(ctx, reader);
  if (quietMs > 0) await leaveForMorning(ctx, row, quietMs);
  const { mail, leftOut } = await composeAlerts(ctx, reader, await pendingOf(ctx, row));
  if (mail === null) return { written: null, leftOut };
  if (quietMs > 0 && !mail.items.some(breaksQuiet)) return { written: null, leftOut, quietMs };
  const { reader: _, ...content } = mail;
  const { language } = reader;
  return {
    written: { reader, render: (links) => renderMemberMail({ language, ...content, ...links }) },
    leftOut,
  };
}

/** Ms; 0 outside of quiet hours. Alerts were due outside of them, but another attempt or the wait for a turn may end in them. */
async function quietTimeLeft({ db }: Context, { member, timeZone }: FoundReader): Promise<number> {
  if (member === null || member.alerts.quiet_hours === null) return 0;
  const now = await databaseTime(db);
  const end = quietEnd(member.alerts.quiet_hours, now, timeZone);
  return end === null ? 0 : end.getTime() - now.getTime();
}

/**
 * In quiet hours a mail tells only of what breaks them, and of what came before it in the same case: the rest is gathered again when
 * they end. What a server may have accepted stays as it is.
 */
async function leaveForMorning(ctx: Context, row: MailRow, quietMs: number): Promise<void> {
  if (row.submitted_at) return;
  await transaction(ctx.db, async (session) => {
    const alerts = await pendingOf(ctx, row, session);
    const breaking = alerts.filter(breaksQuiet);
    const waiting = alerts.filter((alert) => !breaksQuiet(alert) && !goesAlong(alert, breaking));
    if (waiting.length === 0 || breaking.length === 0) return;
    // Who has the claim by now may be telling all of it.
    const isOurs = await ctx.stores.memberMails.change(row, { dueInMs: sendLeaseMs(ctx.config) }, session);
    if (isOurs) await ctx.stores.alerts.putBack(session, waiting, quietMs);
  });
}

async function writeDigest(ctx: Context, request: MemberDigestMail): Promise<WrittenMail | AlertReason> {
  const composed = await composeDigest(ctx, request);
  if (typeof composed === 'string') return composed;
  const { reader, content } = composed;
  const render: Written['render'] | null =
    content && ((links) => renderMemberDigest({ ...content, ...links }));
  return { written: render && { reader, render }, leftOut: [] };
}

async function submit(
  ctx: Context,
  row: MailRow,
  { written: { reader, render }, claimedAt }: { written: Written; claimedAt: number },
): Promise<void> {
  const { links, headers } = memberLinks(ctx, reader.member);
  const { template: _, ...rendered } = render(links);
  const outgoing = {
    ...rendered,
    to: reader.email,
    // The firm's own staff reads it: its reply-to is for clients.
    replyTo: null,
    messageId: memberMessageId(row._id, ctx.config.MAIL_FROM),
    headers,
  };
  await inSpanOfRow(row, 'member mail', async (noteOutcome) => {
    await ctx.statusMailer.send(outgoing, {
      async beforeEnd() {
        if (await ctx.stores.memberMails.noteSubmitted(row)) return;
        throw new Error('mail not sent: its claim is lost');
      },
      async keep(answer) {
        noteOutcome(answer);
        await settle(ctx, row, { answer, email: reader.email, claimedAt });
      },
    });
  });
}

type Answered = { answer: Outcome; email: string; claimedAt: number };

async function settle(ctx: Context, row: MailRow, { answer, email, claimedAt }: Answered): Promise<void> {
  const outcome = recordAnswer(ctx, row, { answer, recipient: email, scope: 'member_mails' });
  if (outcome.kind === 'permanent' && outcome.suppresses)
    await suppressAddress(ctx, 'email', email, outcome.suppresses).catch((error: unknown) => {
      ctx.log.warn({ err: error }, 'address not suppressed; the next mail will be refused too');
    });
  const change = changeAfter(ctx, row, outcome);
  // A server that did not say no may have accepted it: it stays as it is, and is repeated with the same Message-ID.
  const submitted = outcome.kind === 'ambiguous' ? {} : { submitted_at: null };
  await retryWrite(ctx, claimedAt, () =>
    transaction(ctx.db, async (session) => {
      if (!(await ctx.stores.memberMails.change(row, { ...change, ...submitted }, session))) return;
      if (change.status === 'pending') return;
      const alerts = await pendingOf(ctx, row, session);
      const isSent = change.status === 'sent';
      await changeAlerts(ctx, session, alerts, {
        status: isSent ? 'sent' : 'failed',
        reason: isSent ? null : change.status === 'expired' ? 'expired' : 'not_delivered',
        ...(isSent && { sent_at: change.sent_at }),
        next: !isSent,
      });
    }),
  );
  if (change.dueInMs !== null) ctx.alarms.set('member_mails', change.dueInMs);
  if (change.status === 'failed' || change.status === 'expired') ctx.signals.emit('news');
}

/** The mail goes to nobody: what is urgent goes to the next in line, and all of it to the owners where its reader is away. */
async function end(ctx: Context, row: MailRow, reason: AlertReason): Promise<void> {
  await transaction(ctx.db, async (session) => {
    if (!(await ctx.stores.memberMails.change(row, { ...ended(row), last_error: reason }, session))) return;
    const alerts = await pendingOf(ctx, row, session);
    // After an attempt it may have been sent, so it is not skipped.
    const status = row.attempts > 1 ? 'failed' : 'skipped';
    await changeAlerts(ctx, session, alerts, { status, reason, next: reason !== 'firm_gone' });
  });
  ctx.log.info({ mail: row._id, reason }, 'mail to a member ended without being sent');
  ctx.signals.emit('news');
}

async function leaveOut(ctx: Context, row: MailRow, leftOut: Composition['leftOut']): Promise<void> {
  if (leftOut.length === 0) return;
  const reasons = new Map(leftOut.map(({ row: { _id }, reason }) => [_id, reason]));
  await transaction(ctx.db, async (session) => {
    const alerts = await pendingOf(ctx, row, session);
    const ofReason = Map.groupBy(alerts, ({ _id }) => reasons.get(_id));
    for (const [reason, some] of ofReason)
      if (reason) await changeAlerts(ctx, session, some, { status: 'skipped', reason, next: false });
  });
}

/** A firm that is suspended, or whose deletion may be withdrawn. A summary of a day is not kept for it. */
async function mayComeBack(
  { stores }: Context,
  { kind, partner_id }: MemberAlerts | MemberDigestMail,
): Promise<boolean> {
  return kind === 'member_alerts' && !(await stores.partnerTombstones.has(partner_id));
}

/** Nothing was attempted. */
async function wait(
  ctx: Context,
  row: MailRow,
  { ms, ...said }: { ms: number; last_error?: string },
): Promise<void> {
  const later = { ...said, status: 'pending', attempts: row.attempts - 1, dueInMs: ms } as const;
  await ctx.stores.memberMails.change(row, later);
  ctx.alarms.set('member_mails', ms);
}

async function pendingOf(
  { stores }: Context,
  row: MailRow,
  session: Session | null = null,
): Promise<AlertRow[]> {
  const alerts = await stores.alerts.ofMail(row._id, session);
  return alerts.filter(({ status }) => status === 'pending');
}

function ended({ attempts }: MailRow) {
  return { ...finalFields, status: 'expired', attempts: attempts - 1 } as const;
}
