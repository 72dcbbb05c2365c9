import { randomUUID } from 'node:crypto';
import type { Kind } from '../load/load.ts';
import { type Api, partnerApi, verifiedUser } from './partner.ts';
import type { Reached } from './reach.ts';
import { newReceipt, serve } from './receipts.ts';

const isOk = (status: number) => status === 200;
/** Writes go to as many users in turn: a partner does not change the same one nine times a second. */
const writtenUsers = 20;

/**
 * What partners do all day, over every service that answers HTTP, writes and live checks included; by the name of the
 * service that has the most to do with it.
 */
export async function everydayLoad({
  dev,
}: Reached): Promise<{ kinds: Kind[]; headers: Record<string, string> }> {
  const api = partnerApi(dev);
  const user = await verifiedUser(dev, api);
  const receipt = newReceipt();
  await serve(dev, receipt, 'Case Was Received');
  const caseId = await createCase(api, user.id, receipt);
  const get = (name: string, weight: number, path: string): Kind => ({
    name,
    weight,
    make: () => ({ method: 'GET', path }),
    isGood: isOk,
  });
  const written = await Promise.all(Array.from({ length: writtenUsers }, () => createUser(api)));
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
        path: `/v1/client/users/${written[turn % writtenUsers]}`,
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
  const { api_key, api_secret } = dev.partner;
  return { kinds, headers: { 'x-api-key': api_key, 'x-api-secret': api_secret } };
}

async function createUser(api: Api): Promise<number> {
  const body = {
    email: `everyday.${randomUUID()}@example.com`,
    name: 'Test Person',
    send_verification: false,
  };
  const answer = await api<{ user: { id: number } }>('POST', '/client/users', body);
  if (answer.status !== 201) throw new Error(`creating a user answered ${answer.status}`);
  return answer.body.user.id;
}

async function createCase(api: Api, userId: number, receipt: string): Promise<number> {
  const body = { receipt_number: receipt, uscis_access_acknowledged: true };
  const answer = await api<{ case: { id: number } }>('POST', `/client/users/${userId}/cases`, body);
  if (answer.status !== 201) throw new Error(`creating a case answered ${answer.status}`);
  return answer.body.case.id;
}
