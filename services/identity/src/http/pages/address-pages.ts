import type { ErrorCode, Language } from '@casewatch/contracts';
import {
  ApiError,
  answerPage,
  html,
  type Markup,
  type PageAnswer,
  personPage,
  signInLink,
} from '@casewatch/platform';
import { changeEmailTexts } from './change-email-texts.ts';
import { undoEmailChangeTexts } from './undo-email-change-texts.ts';
import { verifyEmailTexts } from './verify-email-texts.ts';

/** Asks to verify the present address. */
export function verifyPage(language: Language, token: string): string {
  return buttonPage(language, verifyEmailTexts[language].confirm, { action: 'verify-email', token });
}

/** `path`: of this page, as of those below. Each page at the end of a way has a link to the next. */
export function verifiedPage(language: Language, path: string): string {
  return personPage(language, verifyEmailTexts[language].done, signInLink(language, path));
}

/** The link has expired: its button asks for a new one. */
export function expiredPage(language: Language, token: string): string {
  return buttonPage(language, verifyEmailTexts[language].expired, { action: 'verify-email/new-link', token });
}

export function newLinkPage(language: Language, path: string): string {
  return personPage(language, verifyEmailTexts[language].newLink, signInLink(language, path));
}

/** The limit of mails to one address is used up. */
export function newLinkLaterPage(language: Language, path: string): string {
  return personPage(language, verifyEmailTexts[language].newLinkLater, signInLink(language, path));
}

/** Asks the new address to confirm a change. `account`: the masked present address of the account. */
export function confirmChangePage(language: Language, token: string, account: string): string {
  const { text, effect, warning, ...confirm } = changeEmailTexts[language].confirm;
  const form = {
    action: 'verify-email',
    token,
    before: html`<p>${effect}</p>\n<p>${warning}</p>\n`,
  } as const;
  return buttonPage(language, { ...confirm, text: text(account) }, form);
}

/** Asks the present address whether to stop a requested change. `newAddress` is masked. */
export function stopChangePage(language: Language, token: string, newAddress: string): string {
  const { text, ifNotYou, ...stop } = changeEmailTexts[language].stop;
  const form = { action: 'undo-email-change', token, before: html`<p>${ifNotYou}</p>\n` } as const;
  return buttonPage(language, { ...stop, text: text(newAddress) }, form);
}

export function stoppedPage(language: Language, path: string): string {
  return personPage(language, changeEmailTexts[language].stopped, signInLink(language, path));
}

export function undoPage(language: Language, token: string): string {
  return buttonPage(language, undoEmailChangeTexts[language].confirm, { action: 'undo-email-change', token });
}

export function undonePage(language: Language, path: string): string {
  return personPage(language, undoEmailChangeTexts[language].done, signInLink(language, path));
}

type Form = {
  action: 'verify-email' | 'verify-email/new-link' | 'undo-email-change';
  token: string;
  before?: Markup | null;
};

/** A page with one button that posts the token. `action` is relative, so the public address may have a path. */
function buttonPage(
  language: Language,
  { title, text, button }: { title: string; text: string; button: string },
  { action, token, before = null }: Form,
): string {
  const form = html`${before}<form method="post" action="${action}">
<input type="hidden" name="token" value="${token}">
<button type="submit">${button}</button>
</form>
`;
  return personPage(language, { title, text }, form);
}

type RefusalPages = { readonly [code in ErrorCode]?: (language: Language, path: string) => string };

export const verifyRefusals: RefusalPages = {
  invalid_verification_token: (language, path) =>
    personPage(language, verifyEmailTexts[language].invalid, signInLink(language, path)),
};

export const undoRefusals: RefusalPages = {
  invalid_verification_token: (language, path) =>
    personPage(language, undoEmailChangeTexts[language].invalid, signInLink(language, path)),
  email_already_exists: (language, path) =>
    personPage(language, undoEmailChangeTexts[language].taken, signInLink(language, path)),
};

/** Turns a refusal into a page, in the browser's language: the link's user is unknown. */
export async function orRefusalPage(
  call: { readonly language: Language; readonly url: string },
  pages: RefusalPages,
  work: () => Promise<PageAnswer>,
): Promise<PageAnswer> {
  try {
    return await work();
  } catch (error) {
    const page = error instanceof ApiError ? pages[error.code] : undefined;
    if (!page || !(error instanceof ApiError)) throw error;
    const path = pathOf(call);
    const answer = answerPage(page(call.language, path), error.status);
    if (error.retryAfterS !== undefined) answer.headers['retry-after'] = String(Math.ceil(error.retryAfterS));
    return answer;
  }
}

/** Without the token. */
export function pathOf({ url }: { readonly url: string }): string {
  const [path = ''] = url.split('?');
  return path;
}
