import { type Delivery, storiesOf } from './delivery-story.ts';
import { type Api, partnerApi, standIn, verifiedUser } from './partner.ts';
import type { Reached } from './reach.ts';
import { newReceipt, serve } from './receipts.ts';
import { until } from './wait.ts';

type Watched = { caseId: number; receipt: string; told: number };
type Update = { status_code: string; email_notify_status: string; email_notify_attempts: number };
type CaseRead = { status_updates: Update[]; update_count: number };
type Hook = { headers: Record<string, string>; body: string };
type Mail = { subject: string; headers: Record<string, string> };

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
export async function createWitness({ dev }: Reached, count: number) {
  const api = partnerApi(dev);
  const webhookId = await subscribe(api, `${dev.receiver_url}/hooks/${hookName}`);
  const user = await verifiedUser(dev, api);
  const watched: Watched[] = [];
  for (let i = 0; i < count; i++) {
    const receipt = newReceipt();
    await serve(dev, receipt, titles[0] ?? '');
    watched.push({ caseId: await createCase(api, user.id, receipt), receipt, told: 0 });
  }
  let step = 0;
  const mailsTo = (to: string) =>
    standIn<Mail[]>(`${dev.mail_url}/sandbox/mails?to=${encodeURIComponent(to)}`);

  /** What each change must have come to, as far as it has not. */
  async function missing(): Promise<string[]> {
    const hooks = await standIn<Hook[]>(`${dev.receiver_url}/sandbox/hooks/${hookName}`);
    const mails = await mailsTo(user.email);
    const faults = await Promise.all(watched.map((one) => faultsOf(api, one, { hooks, mails })));
    return faults.flat();
  }

  return {
    /** One more change of every case, as the government has it. */
    async change(): Promise<void> {
      step += 1;
      for (const one of watched) {
        await serve(dev, one.receipt, titles[step % titles.length] ?? '');
        one.told += 1;
      }
    },
    missing,
    /** Mails that came twice; a webhook may come again, under the same id. */
    async doubled(): Promise<string[]> {
      const mails = await mailsTo(user.email);
      const counts = Map.groupBy(mails, ({ headers }) => headers['message-id']);
      return [...counts].flatMap(([id, { length }]) => (length === 1 ? [] : [`mail ${id}: ${length} times`]));
    },
    /** Resolves with the milliseconds until everything is where it belongs. */
    async settled(timeoutMs: number): Promise<number> {
      const started = performance.now();
      let left: string[] = [];
      await until(
        async () => {
          left = await missing();
          return left.length === 0;
        },
        { what: 'every change in every place', timeoutMs },
      ).catch((err: Error) => {
        throw new Error(`${err.message}; ${left.slice(0, 4).join('; ')}`);
      });
      return performance.now() - started;
    },
    /** What became of the deliveries of the last change that took their time. */
    async slowDeliveries(): Promise<string[]> {
      const path = `/webhooks/${webhookId}/deliveries?limit=${count}`;
      return storiesOf((await api<{ deliveries: Delivery[] }>('GET', path)).body.deliveries, slowMs);
    },
    changes: () => watched.reduce((sum, { told }) => sum + told, 0),
  };
}

async function faultsOf(
  api: Api,
  { caseId, receipt, told }: Watched,
  { hooks, mails }: { hooks: Hook[]; mails: Mail[] },
): Promise<string[]> {
  const read = await api<CaseRead>('GET', `/client/cases/${caseId}`);
  if (read.status !== 200) return [`case ${caseId} answered ${read.status}`];
  const updates = read.body.status_updates.length;
  const events = hooks.filter(({ body }) => JSON.parse(body).data.case?.id === caseId);
  const webhooks = new Set(events.map(({ headers }) => headers['webhook-id'])).size;
  const ours = mails.filter(({ subject }) => subject.endsWith(receipt.slice(-4)));
  const sent = new Set(ours.map(({ headers }) => headers['message-id'])).size;
  // The same mail again is right only where its sender was killed in the middle: then the attempt was counted.
  const begun = read.body.status_updates.reduce((sum, update) => sum + update.email_notify_attempts, 0);
  const surplus = ours.length > begun ? [`case ${caseId}: ${ours.length} mails of ${begun} attempts`] : [];
  const counts = { updates: [updates, told + 1], webhooks: [webhooks, told], mails: [sent, told] } as const;
  const missing = Object.entries(counts).flatMap(([what, [is, wanted]]) =>
    is === wanted ? [] : [`case ${caseId}: ${is} ${what} instead of ${wanted}`],
  );
  return [...missing, ...surplus];
}

async function subscribe(api: Api, url: string): Promise<number> {
  const { body } = await api<{ webhooks: { id: number; url: string }[] }>('GET', '/webhooks');
  const known = body.webhooks?.find((webhook) => webhook.url === url);
  if (known) return known.id;
  const made = await api<{ webhook: { id: number } }>('POST', '/webhooks', {
    url,
    events: ['case.status_updated'],
  });
  if (made.status !== 201) throw new Error(`subscribing answered ${made.status}`);
  return made.body.webhook.id;
}

/** Watches a receipt for a user; asked again until it is taken. */
export async function createCase(api: Api, userId: number, receipt: string): Promise<number> {
  return await until(
    async () => {
      const { status, body } = await api<{ case?: { id: number }; code?: string }>(
        'POST',
        `/client/users/${userId}/cases`,
        {
          receipt_number: receipt,
          uscis_access_acknowledged: true,
        },
      );
      if (status !== 201) throw new Error(`creating it answered ${status} ${body.code}`);
      return body.case?.id;
    },
    // After the stand-ins were restarted, the monitor's breaker is open until its next probe.
    { what: 'the case', timeoutMs: 180_000 },
  );
}
