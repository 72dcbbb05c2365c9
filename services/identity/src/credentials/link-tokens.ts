import { findMatchingPepper, type Macs, type Pepper } from './macs.ts';

type Verification = { readonly _id: string; readonly user_id: number; readonly email_lower: string };
type Change = { readonly _id: string; readonly user_id: number; readonly old_email: string };

/** Tokens of links in e-mails, `<id>.<HMAC>`. They are derived from the row, so a mail can be composed again after a crash. */
export function verificationTokenOf({ _id, user_id, email_lower }: Verification, pepper: Pepper): string {
  return tokenOf(pepper, 'verify-email', [_id, user_id, email_lower]);
}

export function undoTokenOf({ _id, user_id, old_email }: Change, pepper: Pepper): string {
  return tokenOf(pepper, 'undo-email-change', [_id, user_id, old_email]);
}

export function confirmationTokenOf(link: Change & { readonly new_email: string }, pepper: Pepper): string {
  const { _id, user_id, old_email, new_email } = link;
  return tokenOf(pepper, 'confirm-email-change', [_id, user_id, old_email, new_email]);
}

type Invitation = {
  readonly _id: string;
  readonly partner_id: number;
  readonly staff_id: number;
  readonly email_lower: string;
};

export function invitationTokenOf(
  { _id, partner_id, staff_id, email_lower }: Invitation,
  pepper: Pepper,
): string {
  return tokenOf(pepper, 'staff-invitation', [_id, partner_id, staff_id, email_lower]);
}

type ReplyTo = { readonly _id: string; readonly partner_id: number; readonly email: string };

export function replyToTokenOf({ _id, partner_id, email }: ReplyTo, pepper: Pepper): string {
  return tokenOf(pepper, 'confirm-reply-to', [_id, partner_id, email]);
}

type Welcome = { readonly _id: string; readonly email_lower: string };

export function welcomeTokenOf({ _id, email_lower }: Welcome, pepper: Pepper): string {
  return tokenOf(pepper, 'open-account', [_id, email_lower]);
}

/** Whether `derive`, one of the functions above, gives this token for the row with any pepper of the ring. */
export function isTokenOf<Row>(
  derive: (row: Row, pepper: Pepper) => string,
  row: Row,
  { token, macs }: { token: string; macs: Macs },
): boolean {
  return findMatchingPepper(macs, token, (pepper) => derive(row, pepper)) !== undefined;
}

export function rowIdOfToken(token: string): string | null {
  const dot = token.indexOf('.');
  return dot > 0 ? token.slice(0, dot) : null;
}

type LinkPurpose =
  | 'verify-email'
  | 'undo-email-change'
  | 'confirm-email-change'
  | 'staff-invitation'
  | 'confirm-reply-to'
  | 'open-account';

function tokenOf(
  pepper: Pepper,
  purpose: LinkPurpose,
  parts: readonly [string, ...(string | number)[]],
): string {
  return `${parts[0]}.${pepper.mac(purpose, parts.join('\0')).toString('base64url')}`;
}
