import { every, type Running, warning } from '@casewatch/platform';
import type { Context } from '../context.ts';
import { queuesWithDueMails } from '../store/mail-queue.ts';
import { mailQueues } from '../store/stores.ts';

/** Poll interval for mail queued by other replicas, ms. */
const everyMs = 5_000;

/** Wakes the loops of the queues that have due mails: those that are tried again, or that a replica left which ended. */
export function findLeftMails({
  log,
  signals,
  stores,
}: Pick<Context, 'log' | 'signals' | 'stores'>): Running {
  const queues = mailQueues(stores);
  async function find(): Promise<void> {
    for (const signal of await queuesWithDueMails(queues)) signals.emit(signal);
  }
  return every(everyMs, find, warning(log, 'due mails not loaded'));
}
