import type { SendRequest } from '@casewatch/contracts';
import { type Running, worker } from '@casewatch/platform';
import type { Context } from '../context.ts';
import type { ClaimedMail, MailQueue } from '../store/mail-queue.ts';

type Mails = {
  /** Names the loop in the log. */
  name: string;
  queue: MailQueue;
  /** The mail of a row, made now; null where nobody is (any more) to get it. */
  compose(id: string): Promise<SendRequest | null>;
  /** How often it looks without being woken, ms. */
  sweepMs?: number;
  wakeOn?(wake: () => void): void;
};

const defaultSweepMs = 2_000;
/** Longer than the notifier takes to answer or not (2 s), so that no two replicas have the same mail. */
const claimMs = 10_000;
/** A mail that the notifier is slow with holds up no other, until there are this many. */
const concurrency = 8;
const maxRetryMs = 30_000;

/**
 * Hands mails over to the notifier, off every response's path. It is woken after a commit and sweeps too, so that a crash or an
 * absent notifier delays a mail and loses none. The notifier knows a mail by its message_id and sends it once.
 */
export function startMailLoop(ctx: Context, mails: Mails): Running {
  const { name, queue, sweepMs = defaultSweepMs, wakeOn } = mails;
  return worker({
    log: ctx.log,
    name,
    concurrency,
    sweepMs,
    claim: () => queue.claim(claimMs),
    handle: (mail) => sendMail(ctx, mails, mail),
    wakeOn,
  });
}

async function sendMail(
  { bus, clock, log }: Context,
  { queue, compose }: Mails,
  mail: ClaimedMail,
): Promise<void> {
  if (mail.expires_at <= clock.now()) {
    log.warn({ mail: mail.id, attempts: mail.attempt }, 'mail expired before it could be handed over');
    await queue.finish(mail, { status: 'failed', last_error: 'expired' });
    return;
  }
  try {
    const message = await compose(mail.id);
    if (!message) {
      await queue.finish(mail, { status: 'skipped' });
      return;
    }
    await bus.request('notifier.send', message);
    await queue.finish(mail, { status: 'sent', sent_at: clock.now(), last_error: null });
  } catch (error) {
    log.warn(
      { mail: mail.id, attempts: mail.attempt, err: error },
      'mail not handed over; it is tried again',
    );
    const waitMs = Math.min(1_000 * 2 ** (mail.attempt - 1), maxRetryMs);
    const reason = error instanceof Error && 'code' in error ? String(error.code) : 'error';
    await queue.retryIn(mail, waitMs, reason);
  }
}
