import { newReceipt, received, setReceipt } from '@casewatch/driver';
import { type Kind, type LoadOptions, startLoad, type Totals } from '../load/load.ts';
import type { RemoteSystem } from './reach.ts';

const isOk = (status: number): boolean => status === 200;
/** Writes take turns between so many users: no partner changes one user nine times a second. */
const writtenUsers = 20;
const printedFailures = 20;

/** What partners do all day, writes and live checks included, over every service that answers HTTP. */
export async function everydayRequests({
  dev,
  partner,
  gatewayAtNode,
}: RemoteSystem): Promise<Omit<LoadOptions, 'rate'>> {
  const user = await partner.verifiedUser();
  const receipt = newReceipt();
  await setReceipt(dev, receipt, received);
  const { id: caseId } = await partner.newCase(user.id, receipt);
  const written = await Promise.all(
    Array.from({ length: writtenUsers }, () => partner.newUser({ send_verification: false })),
  );
  let turn = 0;
  const kind = (name: string, weight: number, make: Kind['make'], isGood = isOk): Kind => ({
    name,
    weight,
    make,
    isGood,
  });
  const get = (name: string, weight: number, path: string, isGood = isOk) =>
    kind(name, weight, () => ({ method: 'GET', path }), isGood);
  const kinds: Kind[] = [
    get('gateway', 10, '/openapi.json'),
    get('identity', 25, `/v1/client/users/${user.id}`),
    get('cases', 30, `/v1/client/cases/${caseId}`),
    get('webhooks', 15, '/v1/webhooks'),
    // Any answer of the notifier to an invalid link is good: the notifier was asked.
    get('notifier', 10, '/v1/unsubscribe?token=none', (status) => status < 500 && status !== 404),
    kind('identity, write', 4, () => ({
      method: 'PUT',
      path: `/v1/client/users/${written[turn % writtenUsers]?.id}`,
      body: { name: `Test Person ${turn++}` },
    })),
    kind('monitor, live check', 1, () => ({
      method: 'POST',
      path: '/v1/check',
      body: { receipt_number: receipt, max_age: 300 },
    })),
  ];
  return { origin: gatewayAtNode, kinds, headers: partner.headers };
}

type Options = { rate: number; say(line: string): void };

/** Starts a load of `rate` requests per second. */
export function startEverydayLoad(requests: Omit<LoadOptions, 'rate'>, { rate, say }: Options) {
  const load = startLoad({ ...requests, rate });
  return {
    ...load,
    /** Says a line with the counts of the load. */
    tell: (line: string) => say(`${line}; ${load.sent()} requests, ${load.failures.length} failed`),
  };
}

export function printFailures({ failures }: Totals, say: (line: string) => void): void {
  for (const { at, kind, error } of failures.slice(0, printedFailures)) say(`  ${at} ${kind}: ${error}`);
}

export function summaryOf({ sent, perSecond, failures }: Totals): string {
  return `${sent} requests at ${perSecond.toFixed(0)}/s, ${failures.length} failed`;
}
