import { maxPeople, type PersonField, type PersonWith, requests } from '@casewatch/contracts';
import { ApiError } from '../errors.ts';
import type { Bus } from './bus.ts';

type Question<F extends PersonField> = {
  fields: readonly F[];
  /** Only people of this partner. */
  partnerId?: number;
  /** ms */
  deadlineMs?: number;
};

/**
 * People by id, with the fields that the caller needs; who does not exist, or no longer, is absent. Any number of ids.
 * @throws ApiError service_unavailable if identity does not answer, or does not know a field yet
 */
export async function fetchPeople<F extends PersonField>(
  bus: Pick<Bus, 'request'>,
  ids: readonly number[],
  { fields, partnerId, deadlineMs = requests['identity.people'].deadlineMs }: Question<F>,
): Promise<Map<number, PersonWith<F>>> {
  const unique = [...new Set(ids)];
  const parts = Array.from({ length: Math.ceil(unique.length / maxPeople) }, (_, i) =>
    unique.slice(i * maxPeople, (i + 1) * maxPeople),
  );
  const question = { fields: [...fields], ...(partnerId !== undefined && { partner_id: partnerId }) };
  const replies = await Promise.all(
    parts.map((part) => bus.request('identity.people', { ids: part, ...question }, { deadlineMs })),
  );
  const people = replies.flatMap((reply) => reply.people);
  const missing = fields.find((field) => people.some((person) => person[field] === undefined));
  if (missing !== undefined)
    throw new ApiError('service_unavailable', { detail: `identity.people does not tell ${missing}` });
  return new Map(people.map((person) => [person.id, person as PersonWith<F>]));
}
