import type { PersonWith } from '@casewatch/contracts';
import { type Bus, fetchPeople, type Logger } from '@casewatch/platform';

/** What an opt-out, and the page that confirms it, need of the user. */
const optOutFields = [
  'version',
  'preferred_language',
  'phone',
  'notify_by_email',
  'notify_by_whatsapp',
  'partner_name',
  'partner_logo_url',
] as const;

/** `gone`: the user is deleted. `away`: identity did not answer. */
export type UserAnswer = PersonWith<(typeof optOutFields)[number]> | 'gone' | 'away';

/** Never throws: a person can unsubscribe while identity is away. */
export async function fetchUser(
  { bus, log }: { bus: Bus; log: Logger },
  userId: number,
): Promise<UserAnswer> {
  try {
    return (await fetchPeople(bus, [userId], { fields: optOutFields })).get(userId) ?? 'gone';
  } catch (error) {
    log.info({ user_id: userId, err: error }, 'identity.people unavailable');
    return 'away';
  }
}
