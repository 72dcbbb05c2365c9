import type {
  ArrivalMailRequest,
  DeletionMailRequest,
  ReplyToMailRequest,
  SendRequest,
  StaffMailRequest,
} from '@casewatch/contracts';
import { inContext, newContext, type Running, worker } from '@casewatch/platform';
import type { Context } from '../context.ts';
import type { ClaimedMail, MailQueue, MailSignal } from '../store/mail-queue.ts';

type ComposedMail =
  | SendRequest
  | StaffMailRequest
  | ReplyToMailRequest
  | ArrivalMailRequest
  | DeletionMailRequest;

/** Not yet: the mail is composed again after this time, ms. */
type Postponed = { postponedByMs: number };

type Mails = {
  name: string;
  queue: MailQueue;
  /** Null if nobody is to get the mail any more. */
  compose(id: string): Promise<ComposedMail | Postponed | null>;
  /** Interval of looking for due mails after a signal or a mail, ms. */
  sweepMs?: number;
  signal: MailSignal;
};

/** The same where no mail was due for some time: `findLeftMails` finds what no signal tells of. */
const idleSweepMs = 60_000;

/** Longer than the notifier's 2 s to answer, so that no two replicas send the same mail. */
const claimMs = 7_000;
const maxRetryMs = 30_000;

/**
 * Sends the queued mails of one collection to the notifier. A crash or an absent notifier delays a mail and loses none; the
 * notifier sends each `message_id` once.
 */
export function startMailLoop(ctx: Context, mails: Mails): Running {
  const { name, queue, sweepMs = 2_000, signal } = mails;
  return worker({
    log: ctx.log,
    name,
    concurrency: 8,
    sweepMs,
    idleSweepMs,
    claim: () => queue.claim(claimMs),
    handle: (mail) =>
      inContext(newContext(mail.request_id, mail.traceparent), () => sendMail(ctx, mails, mail)),
    wakeOn: (wake) => ctx.signals.on(signal, wake),
  });
}

async function sendMail(
  { bus, clock, log }: Context,
  { queue, compose }: Mails,
  mail: ClaimedMail,
): Promise<void> {
  if (mail.expires_at <= clock.now()) {
    log.warn({ mail: mail.id, attempts: mail.attempt }, 'mail expired before the notifier accepted it');
    await queue.finish(mail, { status: 'failed', last_error: 'expired' });
    return;
  }
  try {
    const message = await compose(mail.id);
    if (!message) {
      await queue.finish(mail, { status: 'skipped' });
      return;
    }
    if ('postponedByMs' in message) {
      await queue.postpone(mail, message.postponedByMs);
      return;
    }
    if (message.kind === 'partner_deletion') await bus.request('notifier.deletion_mail', message);
    else if ('staff_id' in message) await bus.request('notifier.staff_mail', message);
    else if (message.kind === 'confirm_reply_to') await bus.request('notifier.reply_to_mail', message);
    else if (message.kind === 'welcome' || message.kind === 'verify_reminder')
      await bus.request('notifier.arrival_mail', message);
    else await bus.request('notifier.send', message);
    await queue.finish(mail, { status: 'sent', sent_at: clock.now(), last_error: null });
  } catch (error) {
    log.warn(
      { mail: mail.id, attempts: mail.attempt, err: error },
      'notifier did not accept a mail; trying again',
    );
    const waitMs = Math.min(1_000 * 2 ** (mail.attempt - 1), maxRetryMs);
    const reason = error instanceof Error && 'code' in error ? String(error.code) : 'error';
    await queue.retryIn(mail, waitMs, reason);
  }
}
