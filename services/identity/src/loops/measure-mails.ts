import { createInstrument, type Logger, type Meter, readAtScrape } from '@casewatch/platform';
import { identityMetrics } from '../metric-table.ts';
import { agesOfQueuedMails, type MailQueue, type MailSignal } from '../store/mail-queue.ts';

/** Shortest time between two measurements, ms. */
const intervalMs = 10_000;

const labels: Readonly<Record<MailSignal, string>> = {
  loginCodes: 'login_codes',
  addressRequests: 'address_requests',
  changeMails: 'change_mails',
  verificationMails: 'verification_mails',
  verificationReminders: 'verification_reminders',
  undoMails: 'undo_mails',
  invitations: 'invitations',
  staffNotices: 'staff_notices',
  replyToMails: 'reply_to_mails',
  welcomes: 'welcomes',
};

/** Shows how long the oldest mail of each queue waits for the notifier, from its creation: a retry does not make it young. */
export function measureMails(
  meter: Meter,
  { queues, log }: { queues: Readonly<Record<MailSignal, MailQueue>>; log: Logger },
): void {
  let ages = new Map<MailSignal, number>();
  const update = readAtScrape(
    intervalMs,
    async () => {
      ages = await agesOfQueuedMails(queues);
    },
    (error) => log.warn({ err: error }, 'waiting mails not measured'),
  );
  createInstrument(meter, identityMetrics, 'identity.oldest_unsent').addCallback(async (result) => {
    await update();
    for (const [queue, seconds] of ages) result.observe(seconds, { queue: labels[queue] });
  });
}
