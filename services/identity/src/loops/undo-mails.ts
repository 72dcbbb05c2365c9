import type { SendRequest } from '@casewatch/contracts';
import type { Macs } from '../credentials/macs.ts';
import { undoTokenOf } from '../credentials/undo-token.ts';
import type { Stores } from '../store/stores.ts';

type Parts = { stores: Stores; macs: Macs; publicUrl: string };

/** The mail to the old address, by which the change is undone; none if that has happened, or the user is gone. */
export async function composeUndo(
  { stores, macs, publicUrl }: Parts,
  id: string,
): Promise<SendRequest | null> {
  const change = await stores.emailChanges.find(id);
  const user = change && (await stores.users.find(change.user_id));
  if (!change || !user || change.undone_at !== null || change.void_at !== null) return null;
  return {
    kind: 'address_changed',
    message_id: `undo-${id}`,
    to: change.old_email,
    language: user.preferred_language,
    expires_at: change.expires_at.toISOString(),
    link: `${publicUrl}/v1/users/undo-email-change?token=${undoTokenOf(change, macs)}`,
    user_id: user._id,
  };
}
