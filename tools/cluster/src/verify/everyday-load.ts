import { newReceipt, received, setReceipt } from '@casewatch/driver';
import type { Kind } from '../load/load.ts';
import type { Reached } from './reach.ts';

const isOk = (status: number) => status === 200;
/** Writes go to as many users in turn: a partner does not change the same one nine times a second. */
const writtenUsers = 20;

/**
 * What partners do all day, over every service that answers HTTP, writes and live checks included; by the name of the
 * service that has the most to do with it.
 */
export async function everydayLoad({
  dev,
  partner,
}: Reached): Promise<{ kinds: Kind[]; headers: Record<string, string> }> {
  const user = await partner.verifiedUser();
  const receipt = newReceipt();
  await setReceipt(dev, receipt, received);
  const { id: caseId } = await partner.newCase(user.id, receipt);
  const get = (name: string, weight: number, path: string): Kind => ({
    name,
    weight,
    make: () => ({ method: 'GET', path }),
    isGood: isOk,
  });
  const written = await Promise.all(
    Array.from({ length: writtenUsers }, () => partner.newUser({ send_verification: false })),
  );
  let turn = 0;
  const kinds: Kind[] = [
    get('gateway', 10, '/openapi.json'),
    get('identity', 25, `/v1/client/users/${user.id}`),
    get('cases', 30, `/v1/client/cases/${caseId}`),
    get('webhooks', 15, '/v1/webhooks'),
    // Whatever the notifier says to a link that is none: it has been asked, and has answered.
    {
      ...get('notifier', 10, '/v1/unsubscribe?token=none'),
      isGood: (status) => status >= 200 && status < 500 && status !== 404,
    },
    {
      name: 'identity, write',
      weight: 4,
      make: () => ({
        method: 'PUT',
        path: `/v1/client/users/${written[turn % writtenUsers]?.id}`,
        body: { name: `Test Person ${turn++}` },
      }),
      isGood: isOk,
    },
    {
      name: 'monitor, live check',
      weight: 1,
      make: () => ({
        method: 'POST',
        path: '/v1/check',
        body: { receipt_number: receipt, max_age: 300 },
      }),
      isGood: isOk,
    },
  ];
  return { kinds, headers: partner.headers };
}
