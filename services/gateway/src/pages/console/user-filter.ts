import { email as emailAddress } from '@casewatch/contracts';
import { type ConsoleCall, can } from './console-page.ts';

/** The id of the user whose address or id is typed into a filter; null if there is none. Addresses need `users:read`. */
export async function userIdOf(call: ConsoleCall, user: string): Promise<string | null> {
  if (/^\d+$/.test(user)) return user;
  if (!can(call, 'users:read')) return null;
  const isAddress = emailAddress.safeParse(user).success;
  const { users } = isAddress
    ? await call.ask('list_partner_users', { query: { email: user, limit: '1' } })
    : { users: [] };
  return users[0] ? String(users[0].id) : null;
}
