import type { Channel } from '@casewatch/contracts';
import type { User } from './user.ts';

/**
 * What changes when a person switched a channel off at `at`. Null: this is known already, so that an event that
 * comes twice does not undo what the person decided since.
 */
export function decideOptOut(user: User, channel: Channel, at: Date): Partial<User> | null {
  const known = channel === 'email' ? user.email_opt_out : user.whatsapp_opt_out;
  if (known !== null && known.at.getTime() >= at.getTime()) return null;
  const mark = { at, lifted_at: null };
  return channel === 'email'
    ? { notify_by_email: false, email_opt_out: mark }
    : { notify_by_whatsapp: false, whatsapp_consent: null, whatsapp_opt_out: mark };
}
