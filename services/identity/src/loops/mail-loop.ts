import type { SendRequest } from '@casewatch/contracts';
import { type Bus, type Clock, createWaker, type Logger } from '@casewatch/platform';
import type { ClaimedMail, MailQueue } from '../store/mail-queue.ts';

/** Hands mails over to the notifier, off every response's path. */
export type MailLoop = {
  /** Something was queued. */
  wake(): void;
  stop(): Promise<void>;
};

type Options = {
  bus: Bus;
  clock: Clock;
  log: Logger;
  queue: MailQueue;
  /** The mail of a row, made now; null where there is nobody (any more) to send it to. */
  compose(id: string): Promise<SendRequest | null>;
  /** How often it looks without being woken. */
  sweepMs?: number;
};

const ordinarySweepMs = 2_000;
/** Longer than the notifier takes to answer or not (2 s), so that a claim is never two's. */
const claimMs = 10_000;
/** A mail that the notifier is slow with holds up no other, until there are this many. */
const atOnce = 8;
const longestWaitMs = 30_000;

/**
 * Woken after a commit, with a sweep behind it, so that a crash or an absent notifier delays a mail and loses none.
 * Rows are claimed one by one; the notifier knows a mail by its message_id and sends it once.
 */
export function startMailLoop(options: Options): MailLoop {
  const { log, queue, sweepMs = ordinarySweepMs } = options;
  const stopping = new AbortController();
  const waker = createWaker(stopping.signal);

  const underWay = new Set<Promise<void>>();

  async function drain(): Promise<void> {
    while (!stopping.signal.aborted) {
      if (underWay.size >= atOnce) await Promise.race(underWay);
      const mail = await queue.claim(claimMs);
      if (!mail) return;
      const work = handOver(options, mail)
        .catch((error: unknown) => log.warn({ mail: mail.id, err: error }, 'mail waits for its claim to end'))
        .finally(() => underWay.delete(work));
      underWay.add(work);
    }
  }

  async function run(): Promise<void> {
    while (!stopping.signal.aborted) {
      await drain().catch((error: unknown) => log.warn({ err: error }, 'mails wait for the next sweep'));
      await waker.sleep(sweepMs);
    }
    await Promise.all(underWay);
  }

  const running = run();
  return {
    wake: waker.wake,
    async stop() {
      stopping.abort();
      await running;
    },
  };
}

async function handOver({ bus, clock, log, queue, compose }: Options, mail: ClaimedMail): Promise<void> {
  if (mail.expires_at <= clock.now()) {
    log.warn({ mail: mail.id, attempts: mail.attempt }, 'mail expired before it could be handed over');
    await queue.settle(mail, { status: 'failed', last_error: 'expired' });
    return;
  }
  try {
    const message = await compose(mail.id);
    if (!message) {
      await queue.settle(mail, { status: 'skipped' });
      return;
    }
    await bus.request('notifier.send', message);
    await queue.settle(mail, { status: 'sent', sent_at: clock.now(), last_error: null });
  } catch (error) {
    log.warn(
      { mail: mail.id, attempts: mail.attempt, err: error },
      'mail not handed over; it is tried again',
    );
    const waitMs = Math.min(1_000 * 2 ** (mail.attempt - 1), longestWaitMs);
    const reason = error instanceof Error && 'code' in error ? String(error.code) : 'error';
    await queue.retryIn(mail, waitMs, reason);
  }
}
