import {
  expectStatus,
  hooksOf,
  type Mail,
  mailsTo,
  newReceipt,
  type ReceivedHook,
  setReceipt,
  titled,
} from '@casewatch/driver';
import { type Delivery, storiesOf } from './delivery-story.ts';
import type { Reached } from './reach.ts';
import { until } from './wait.ts';

type Watched = { caseId: number; receipt: string; changes: number };
type Update = { status_code: string; email_notify_status: string; email_notify_attempts: number };
type CaseRead = { status_updates: Update[]; update_count: number };

export type DeliveryAudit = Awaited<ReturnType<typeof createDeliveryAudit>>;

const titles = [
  'Case Was Received',
  'Case Was Approved',
  'Request for Evidence Was Sent',
  'Interview Was Scheduled',
];
const hookName = 'cluster';
/** A delivery that took longer is worth a line. */
const slowMs = 5_000;

/**
 * Cases whose changes are counted where they arrive: in the system itself, in the mail catcher and in the webhook
 * receiver. Every change must be in each place once.
 */
export async function createDeliveryAudit({ dev, partner }: Reached, count: number) {
  const webhookId = await subscribe({ dev, partner });
  const user = await partner.verifiedUser();
  const watched: Watched[] = [];
  for (let i = 0; i < count; i++) {
    const receipt = newReceipt();
    await setReceipt(dev, receipt, titled(titles[0] ?? ''));
    watched.push({ caseId: (await partner.newCase(user.id, receipt)).id, receipt, changes: 0 });
  }
  let step = 0;

  /** What each change must have come to, as far as it has not. */
  async function missing(): Promise<string[]> {
    const hooks = await hooksOf(dev, hookName);
    const mails = await mailsTo(dev, user.email);
    const faults = await Promise.all(watched.map((one) => faultsOf(partner, one, { hooks, mails })));
    return faults.flat();
  }

  return {
    /** One more change of every case, as the government has it. */
    async change(): Promise<void> {
      step += 1;
      for (const one of watched) {
        await setReceipt(dev, one.receipt, titled(titles[step % titles.length] ?? ''));
        one.changes += 1;
      }
    },
    missing,
    /** Mails that came twice; a webhook may come again, under the same id. */
    async doubled(): Promise<string[]> {
      const mails = await mailsTo(dev, user.email);
      const counts = Map.groupBy(mails, ({ headers }) => headers['message-id']);
      return [...counts].flatMap(([id, { length }]) => (length === 1 ? [] : [`mail ${id}: ${length} times`]));
    },
    /** Resolves with the milliseconds until everything is where it belongs. */
    async settled(timeoutMs: number): Promise<number> {
      const started = performance.now();
      const complete = async () => {
        const left = await missing();
        if (left.length > 0) throw new Error(left.slice(0, 4).join('; '));
        return true;
      };
      await until(complete, { what: 'every change in every place', timeoutMs });
      return performance.now() - started;
    },
    /** What became of the deliveries of the last change that took their time. */
    async slowDeliveries(): Promise<string[]> {
      const path = `/v1/webhooks/${webhookId}/deliveries?limit=${count}`;
      return storiesOf((await partner.call<{ deliveries: Delivery[] }>('GET', path)).body.deliveries, slowMs);
    },
    changes: () => watched.reduce((sum, { changes }) => sum + changes, 0),
  };
}

async function faultsOf(
  { call }: Reached['partner'],
  { caseId, receipt, changes }: Watched,
  { hooks, mails }: { hooks: ReceivedHook[]; mails: Mail[] },
): Promise<string[]> {
  const read = await call<CaseRead>('GET', `/v1/client/cases/${caseId}`);
  if (read.status !== 200) return [`case ${caseId} answered ${read.status}`];
  const updates = read.body.status_updates.length;
  const events = hooks.filter(({ body }) => JSON.parse(body).data.case?.id === caseId);
  const webhooks = new Set(events.map(({ headers }) => headers['webhook-id'])).size;
  const ours = mails.filter(({ subject }) => subject.endsWith(receipt.slice(-4)));
  const sent = new Set(ours.map(({ headers }) => headers['message-id'])).size;
  // The same mail again is right only where its sender was killed in the middle: then the attempt was counted.
  const begun = read.body.status_updates.reduce((sum, update) => sum + update.email_notify_attempts, 0);
  const surplus = ours.length > begun ? [`case ${caseId}: ${ours.length} mails of ${begun} attempts`] : [];
  const counts = {
    updates: [updates, changes + 1],
    webhooks: [webhooks, changes],
    mails: [sent, changes],
  } as const;
  const missing = Object.entries(counts).flatMap(([what, [is, wanted]]) =>
    is === wanted ? [] : [`case ${caseId}: ${is} ${what} instead of ${wanted}`],
  );
  return [...missing, ...surplus];
}

async function subscribe({ dev, partner }: Pick<Reached, 'dev' | 'partner'>): Promise<number> {
  type Webhooks = { webhooks: { id: number; url: string }[] };
  const answer = await partner.call<Webhooks>('GET', '/v1/webhooks');
  const { webhooks } = expectStatus('list webhooks', answer, 200);
  const known = webhooks.find(({ url }) => url === `${dev.receiver_url}/hooks/${hookName}`);
  return (known ?? (await partner.newWebhook(hookName))).id;
}
