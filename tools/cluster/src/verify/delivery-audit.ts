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
import { until } from '../kit/wait.ts';
import { type Delivery, timelinesOf } from './delivery-story.ts';
import type { RemoteSystem } from './reach.ts';

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
const slowMs = 5_000;

/** Cases whose changes must each arrive once: in the system, in the mail catcher and in the webhook receiver. */
export async function createDeliveryAudit({ dev, partner }: RemoteSystem, count: number) {
  const webhookId = await subscribe({ dev, partner });
  const user = await partner.verifiedUser();
  const watched: Watched[] = [];
  for (let i = 0; i < count; i++) {
    const receipt = newReceipt();
    await setReceipt(dev, receipt, titled(titles[0] ?? ''));
    watched.push({ caseId: (await partner.newCase(user.id, receipt)).id, receipt, changes: 0 });
  }
  let step = 0;

  /** Changes that have not arrived, or that arrived too often. */
  async function missing(): Promise<string[]> {
    const hooks = await hooksOf(dev, hookName);
    const mails = await mailsTo(dev, user.email);
    const faults = await Promise.all(watched.map((row) => faultsOf(partner, row, { hooks, mails })));
    return faults.flat();
  }

  return {
    async change(): Promise<void> {
      step += 1;
      for (const row of watched) {
        await setReceipt(dev, row.receipt, titled(titles[step % titles.length] ?? ''));
        row.changes += 1;
      }
    },
    missing,
    /** Mails that arrived twice; a webhook may arrive again with the same id. */
    async duplicates(): Promise<string[]> {
      const mails = await mailsTo(dev, user.email);
      const counts = Map.groupBy(mails, ({ headers }) => headers['message-id']);
      return [...counts].flatMap(([id, { length }]) => (length === 1 ? [] : [`mail ${id}: ${length} times`]));
    },
    /** @returns after how many milliseconds every change has arrived */
    async settled(timeoutMs: number): Promise<number> {
      const started = performance.now();
      const complete = async () => {
        const stillMissing = await missing();
        if (stillMissing.length > 0) throw new Error(stillMissing.slice(0, 4).join('; '));
        return true;
      };
      await until(complete, { what: 'every change in every place', timeoutMs });
      return performance.now() - started;
    },
    async slowDeliveries(): Promise<string[]> {
      const path = `/v1/webhooks/${webhookId}/deliveries?limit=${count}`;
      return timelinesOf(
        (await partner.call<{ deliveries: Delivery[] }>('GET', path)).body.deliveries,
        slowMs,
      );
    },
    changes: () => watched.reduce((sum, { changes }) => sum + changes, 0),
  };
}

async function faultsOf(
  { call }: RemoteSystem['partner'],
  { caseId, receipt, changes }: Watched,
  { hooks, mails }: { hooks: ReceivedHook[]; mails: Mail[] },
): Promise<string[]> {
  const read = await call<CaseRead>('GET', `/v1/client/cases/${caseId}`);
  if (read.status !== 200) return [`case ${caseId} answered ${read.status}`];
  const updates = read.body.status_updates.length;
  const events = hooks.filter(({ body }) => JSON.parse(body).data.case?.id === caseId);
  const webhooks = new Set(events.map(({ headers }) => headers['webhook-id'])).size;
  const updateMails = mails.filter(({ subject }) => subject.endsWith(receipt.slice(-4)));
  const sent = new Set(updateMails.map(({ headers }) => headers['message-id'])).size;
  // A mail may arrive twice only if its sender was killed in between; then the attempt was counted.
  const attempts = read.body.status_updates.reduce((sum, update) => sum + update.email_notify_attempts, 0);
  const surplus =
    updateMails.length > attempts
      ? [`case ${caseId}: ${updateMails.length} mails of ${attempts} attempts`]
      : [];
  const counts = {
    updates: [updates, changes + 1],
    webhooks: [webhooks, changes],
    mails: [sent, changes],
  } as const;
  const missing = Object.entries(counts).flatMap(([name, [count, expected]]) =>
    count === expected ? [] : [`case ${caseId}: ${count} ${name} instead of ${expected}`],
  );
  return [...missing, ...surplus];
}

async function subscribe({ dev, partner }: Pick<RemoteSystem, 'dev' | 'partner'>): Promise<number> {
  type Webhooks = { webhooks: { id: number; url: string }[] };
  const answer = await partner.call<Webhooks>('GET', '/v1/webhooks');
  const { webhooks } = expectStatus('list webhooks', answer, 200);
  const webhook = webhooks.find(({ url }) => url === `${dev.receiver_url}/hooks/${hookName}`);
  return (webhook ?? (await partner.newWebhook(hookName))).id;
}
