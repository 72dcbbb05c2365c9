import type { OperationName } from '@casewatch/contracts';
import { receiptAt } from '../monitor/cases.ts';

export const partners = 8;
export const usersPerPartner = 60;

/** User and case have the same number. The users of partner 1 are 1 to 60. */
export function partnerOf(userId: number): number {
  return Math.ceil(userId / usersPerPartner);
}

export type BenchRequest = { method: 'GET' | 'PUT' | 'POST'; path: string; body?: string };

type RequestOf = (userId: number, count: number) => BenchRequest;

const get =
  (pathOf: (userId: number) => string): RequestOf =>
  (userId) => ({ method: 'GET', path: pathOf(userId) });

/** Receipts of created cases are numbered after those of the seed. */
const firstNewReceipt = 1_000_000;

/** The ten most used operations. `count` grows with each request. */
export const requests = {
  get_partner_case: get((id) => `/v1/client/cases/${id}`),
  list_partner_cases: get(() => '/v1/client/cases?limit=50'),
  list_partner_users: get(() => '/v1/client/users'),
  get_partner_user: get((id) => `/v1/client/users/${id}`),
  list_cases: get((id) => `/v1/users/${id}/cases`),
  get_profile: get(() => '/v1/client/profile'),
  list_webhooks: get(() => '/v1/webhooks'),
  get_status: get(() => '/v1/status'),
  update_partner_user: (id, count) => ({
    method: 'PUT',
    path: `/v1/client/users/${id}`,
    body: JSON.stringify({ name: `Person ${count}` }),
  }),
  create_partner_case: (id, count) => ({
    method: 'POST',
    path: `/v1/client/users/${id}/cases`,
    body: JSON.stringify({
      receipt_number: receiptAt(firstNewReceipt + count),
      uscis_access_acknowledged: true,
    }),
  }),
} as const satisfies Partial<Record<OperationName, RequestOf>>;

export type BenchOperation = keyof typeof requests;
