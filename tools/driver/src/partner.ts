import { randomUUID } from 'node:crypto';
import type { Addresses, PartnerKeys } from './dev-file.ts';
import { verifyByMail } from './person.ts';
import { type Answer, keyHeaders, send, succeed } from './send.ts';
import type { Waiting } from './until.ts';

export type Partner = ReturnType<typeof createPartner>;

type Fields = Record<string, unknown>;

/** A partner's engineer: plain HTTP with two headers. What is made must succeed, within the limits of `waiting`. */
export function createPartner(at: Addresses, keys: Omit<PartnerKeys, 'id'>, waiting: Waiting = {}) {
  const as = keyHeaders(keys);

  async function make<Name extends string, Made = { id: number }>(name: Name, path: string, body: Fields) {
    const made = await succeed<Record<Name, Made>>(at, 'POST', { as, path, body }, waiting);
    return made[name];
  }

  async function newUser(fields: Fields = {}): Promise<{ id: number; email: string }> {
    const person = { email: `person.${randomUUID()}@example.com`, name: 'Test Person', ...fields };
    const { id } = await make('user', '/v1/client/users', person);
    return { id, email: person.email };
  }

  return {
    headers: as,
    /** One request, whatever it answers. */
    call: <T = Record<string, unknown>>(method: string, path: string, body?: unknown): Promise<Answer<T>> =>
      send<T>(at, method, { as, path, body }),
    newUser,
    /** A user who followed the link in the mail. */
    async verifiedUser(fields: Fields = {}): Promise<{ id: number; email: string }> {
      const user = await newUser(fields);
      await verifyByMail(at, user.email, waiting);
      return user;
    },
    newCase: (userId: number, receipt: string, fields: Fields = {}) =>
      make('case', `/v1/client/users/${userId}/cases`, {
        receipt_number: receipt,
        uscis_access_acknowledged: true,
        ...fields,
      }),
    /** An endpoint at the webhook receiver, under this name. */
    newWebhook: (name: string, events = ['case.status_updated']) =>
      make<'webhook', { id: number; secret: string }>('webhook', '/v1/webhooks', {
        url: `${at.receiver_url}/hooks/${name}`,
        events,
      }),
  };
}
