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
import {
  type CaseLedger,
  type Fault,
  faultsIn,
  type LedgerUpdate,
  updatesInMail,
} from './delivery-ledger.ts';
import { type Delivery, timelinesOf } from './delivery-story.ts';
import type { RemoteSystem } from './reach.ts';

/** `titles`: what the government showed, in order. */
type Watched = { caseId: number; receipt: string; titles: string[] };
type CaseRead = { status_updates: LedgerUpdate[] };
type Event = { data: { case?: { id: number }; status_update?: { id: number } } };

export type DeliveryAudit = Awaited<ReturnType<typeof createDeliveryAudit>>;

/** More than a check changes a case: a state that comes back is told later, once the monitor has confirmed it. */
const titles = [
  'Case Was Received',
  'Fingerprint Fee Was Received',
  'Request for Evidence Was Sent',
  'Interview Was Scheduled',
  'Interview Was Completed And My Case Must Be Reviewed',
  'Case Was Approved',
  'New Card Is Being Produced',
  'Card Was Mailed To Me',
];
const hookName = 'cluster';
const slowMs = 5_000;

/** Cases whose changes must each arrive once: in the system, in the mail catcher and in the webhook receiver. From the eighth change on, a former state comes back. */
export async function createDeliveryAudit({ dev, partner }: RemoteSystem, count: number) {
  const webhookId = await subscribe({ dev, partner });
  const user = await partner.verifiedUser();
  const watched: Watched[] = [];
  for (let i = 0; i < count; i++) {
    const receipt = newReceipt();
    await setReceipt(dev, receipt, titled(titles[0] ?? ''));
    const { id: caseId } = await partner.newCase(user.id, receipt);
    watched.push({ caseId, receipt, titles: [titles[0] ?? ''] });
  }
  let step = 0;

  async function faults(): Promise<Fault[]> {
    const hooks = await hooksOf(dev, hookName);
    const mails = await mailsTo(dev, user.email);
    const read = await Promise.all(watched.map((row) => ledgerOf(partner, row, { hooks, mails })));
    return read.flatMap((ledger) => ('place' in ledger ? [ledger] : faultsIn(ledger)));
  }

  /** Changes that have not arrived, or that arrived too often. */
  async function missing(): Promise<string[]> {
    return (await faults()).map(({ text }) => text);
  }

  return {
    async change(): Promise<void> {
      step += 1;
      const title = titles[step % titles.length] ?? '';
      for (const row of watched) {
        await setReceipt(dev, row.receipt, titled(title));
        row.titles.push(title);
      }
    },
    /** As `missing`, with the places. */
    faults,
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
    changes: () => watched.reduce((sum, { titles: shown }) => sum + shown.length - 1, 0),
  };
}

async function ledgerOf(
  { call }: RemoteSystem['partner'],
  { caseId, titles: shown }: Watched,
  { hooks, mails }: { hooks: ReceivedHook[]; mails: Mail[] },
): Promise<CaseLedger | Fault> {
  const { status, body } = await call<CaseRead>('GET', `/v1/client/cases/${caseId}`);
  if (status !== 200) return { place: 'case', text: `case ${caseId} answered ${status}` };
  const calls = hooks.flatMap(({ headers, body }) => {
    const { case: of, status_update } = (JSON.parse(body) as Event).data;
    if (of?.id !== caseId || !status_update) return [];
    return [{ webhookId: headers['webhook-id'] ?? '', updateId: status_update.id }];
  });
  const letters = mails.flatMap(({ text, received_at }) =>
    updatesInMail(text ?? '')
      .filter((told) => told.caseId === caseId)
      .map(({ title }) => ({ title, receivedAt: received_at })),
  );
  return { caseId, titles: [...shown], updates: body.status_updates, calls, letters };
}

async function subscribe({ dev, partner }: Pick<RemoteSystem, 'dev' | 'partner'>): Promise<number> {
  type Webhooks = { webhooks: { id: number; url: string }[] };
  const answer = await partner.call<Webhooks>('GET', '/v1/webhooks');
  const { webhooks } = expectStatus('list webhooks', answer, 200);
  const webhook = webhooks.find(({ url }) => url === `${dev.receiver_url}/hooks/${hookName}`);
  return (webhook ?? (await partner.newWebhook(hookName))).id;
}
