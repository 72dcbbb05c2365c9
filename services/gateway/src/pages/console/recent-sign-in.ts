import { type OperationName, operations, type Principal } from '@casewatch/contracts';
import { assertRecentSignIn } from '@casewatch/platform';

/** Pages that are there for one operation alone, which members send within some minutes of their sign-in (firm.md §1). */
const formsOfOperations = {
  '/console/staff/new': 'invite_staff_member',
  '/console/keys/new': 'create_key',
  '/console/webhooks/new': 'create_webhook',
} as const satisfies Readonly<Record<string, OperationName>>;

export type ReturnPath = keyof typeof formsOfOperations;

/** Time to fill in a form, ms. */
const fillingMs = 5 * 60 * 1_000;

/** The page to which a sign-in leads back; null for any other text. */
export function returnPathOf(text: unknown): ReturnPath | null {
  return typeof text === 'string' && Object.hasOwn(formsOfOperations, text) ? (text as ReturnPath) : null;
}

/**
 * Asks for the sign-in before the form is filled in: asked for after it, what was typed would be lost.
 * @throws ApiError reauthentication_required
 */
export function assertTimeToFill(path: string, principal: Principal, now: Date): void {
  const returnPath = returnPathOf(path);
  if (returnPath === null) return;
  const row = operations[formsOfOperations[returnPath]];
  assertRecentSignIn(row, principal, new Date(now.getTime() + fillingMs));
}
