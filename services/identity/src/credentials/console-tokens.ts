import { findMatchingPepper, type Macs, type Pepper } from './macs.ts';
import { rotatingToken } from './rotating-token.ts';

/** `<id>.<HMAC>`. The secret part is derived, so that no row has it. */
export function consoleLinkTokenOf(linkId: string, pepper: Pepper): string {
  return `${linkId}.${pepper.mac('console-link', linkId).toString('base64url')}`;
}

/** @returns the id of the link; null if the token is forged */
export function readConsoleLinkToken(token: string, macs: Macs): string | null {
  const [linkId = ''] = token.split('.');
  return findMatchingPepper(macs, token, (pepper) => consoleLinkTokenOf(linkId, pepper)) ? linkId : null;
}

/** Of a sign-in that needs another step. `<id>.<HMAC>`; it opens nothing but this step. */
export function stepTokenOf(stepId: string, pepper: Pepper): string {
  return `${stepId}.${pepper.mac('staff-sign-in-step', stepId).toString('base64url')}`;
}

/** @returns the id of the step; null if the token is forged */
export function readStepToken(token: string, macs: Macs): string | null {
  const [stepId = ''] = token.split('.');
  return findMatchingPepper(macs, token, (pepper) => stepTokenOf(stepId, pepper)) ? stepId : null;
}

export const { tokenOf: consoleTokenOf, read: readConsoleToken } = rotatingToken('console-session');

/** Of members of staff; refused where a token of a console link's session is wanted, and the reverse. */
export const { tokenOf: staffTokenOf, read: readStaffToken } = rotatingToken('staff-session');
