import { type Bus, orNull } from '@casewatch/platform';
import type { Recipient } from '../domain/skip-reason.ts';

export async function fetchRecipient(
  bus: Bus,
  { user_id, case_id }: { user_id: number; case_id: number },
): Promise<Recipient> {
  const [user, reply] = await Promise.all([
    orNull(bus.request('identity.user', { user_id }), 'user_not_found'),
    orNull(bus.request('cases.case', { case_id }), 'case_not_found'),
  ]);
  const partner_id = user?.partner_id ?? null;
  const partner = partner_id === null ? null : await bus.request('identity.partner', { partner_id });
  return { user, partner, caseActive: reply?.case.active ?? false };
}
