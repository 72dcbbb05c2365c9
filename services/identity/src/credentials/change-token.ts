import { findMatchingPepper, type Macs, type Pepper } from './macs.ts';

/** The stored link that confirms a change: this address, instead of that one, of this user. */
type Subject = {
  readonly _id: string;
  readonly user_id: number;
  readonly old_email: string;
  readonly new_email: string;
};

/** `<id>.<HMAC>`, as the token of a verification mail, for another purpose. */
export function changeTokenOf(link: Subject, pepper: Pepper): string {
  const text = [link._id, link.user_id, link.old_email, link.new_email].join('\0');
  return `${link._id}.${pepper.mac('confirm-email-change', text).toString('base64url')}`;
}

export function isChangeTokenOf(link: Subject, token: string, macs: Macs): boolean {
  return findMatchingPepper(macs, token, (pepper) => changeTokenOf(link, pepper)) !== undefined;
}
