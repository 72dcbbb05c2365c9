import { randomUUID } from 'node:crypto';
import type { Addresses, PartnerKeys } from './dev-file.ts';
import { verifyByMail } from './person.ts';
import { type Answer, keyHeaders, send, succeed } from './send.ts';
import type { Waiting } from './until.ts';

export type Partner = ReturnType<typeof createPartner>;

type Fields = Record<string, unknown>;

/** A partner's HTTP client. Requests that create something are repeated within `waiting` until they succeed. */
export function createPartner(at: Addresses, keys: Omit<PartnerKeys, 'id'>, waiting: Waiting = {}) {
  const as = keyHeaders(keys);

  async function create<Name extends string, T = { id: number }>(name: Name, path: string, body: Fields) {
    const created = await succeed<Record<Name, T>>(at, 'POST', { as, path, body }, waiting);
    return created[name];
  }

  async function newUser(fields: Fields = {}): Promise<{ id: number; email: string }> {
    const person = { email: `person.${randomUUID()}@example.com`, name: 'Test Person', ...fields };
    const { id } = await create('user', '/v1/client/users', person);
    return { id, email: person.email };
  }

  return {
    headers: as,
    call: <T = Record<string, unknown>>(method: string, path: string, body?: unknown): Promise<Answer<T>> =>
      send<T>(at, method, { as, path, body }),
    newUser,
    async verifiedUser(fields: Fields = {}): Promise<{ id: number; email: string }> {
      const user = await newUser(fields);
      await verifyByMail(at, user.email, waiting);
      return user;
    },
    newCase: (userId: number, receipt: string, fields: Fields = {}) =>
      create('case', `/v1/client/users/${userId}/cases`, {
        receipt_number: receipt,
        uscis_access_acknowledged: true,
        ...fields,
      }),
    newKey: (limits: object = {}) => create<'key', PartnerKeys>('key', '/v1/client/keys', { ...limits }),
    newWebhook: (name: string, events = ['case.status_updated']) =>
      create<'webhook', { id: number; secret: string }>('webhook', '/v1/webhooks', {
        url: `${at.receiver_url}/hooks/${name}`,
        events,
      }),
  };
}
