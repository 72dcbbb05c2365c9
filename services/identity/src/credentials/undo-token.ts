import { findMatchingPepper, type Macs, type Pepper } from './macs.ts';

/** The stored change that a link undoes: it leads back to this address of this user. */
type Subject = { readonly _id: string; readonly user_id: number; readonly old_email: string };

/** `<id>.<HMAC>`, as the token of a verification mail, for another purpose. */
export function undoTokenOf(change: Subject, pepper: Pepper): string {
  const mac = pepper.mac('undo-email-change', `${change._id}\0${change.user_id}\0${change.old_email}`);
  return `${change._id}.${mac.toString('base64url')}`;
}

export function isUndoTokenOf(change: Subject, token: string, macs: Macs): boolean {
  return findMatchingPepper(macs, token, (pepper) => undoTokenOf(change, pepper)) !== undefined;
}
