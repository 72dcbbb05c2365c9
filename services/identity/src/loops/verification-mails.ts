import type { SendRequest } from '@casewatch/contracts';
import type { Macs } from '../credentials/macs.ts';
import { verificationTokenOf } from '../credentials/verification-token.ts';
import type { Stores } from '../store/stores.ts';

type Parts = { stores: Stores; macs: Macs; publicUrl: string };

/** The verification mail of a row; none if the address changed or was verified meanwhile. */
export async function composeVerification(
  { stores, macs, publicUrl }: Parts,
  id: string,
): Promise<SendRequest | null> {
  const row = await stores.emailVerifications.find(id);
  const user = row && (await stores.users.find(row.user_id));
  if (!row || !user || row.void_at !== null) return null;
  if (user.email_lower !== row.email_lower || user.email_verified_at !== null) return null;
  return {
    kind: 'verify_email',
    message_id: `verify-${id}`,
    to: user.email,
    language: user.preferred_language,
    expires_at: row.expires_at.toISOString(),
    link: `${publicUrl}/v1/users/verify-email?token=${verificationTokenOf(row, macs)}`,
    user_id: user._id,
  };
}
