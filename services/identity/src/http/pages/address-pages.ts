import type { ErrorCode, Language } from '@casewatch/contracts';
import {
  ApiError,
  answerPage,
  html,
  type Markup,
  nameInText,
  type PageAnswer,
  type PageBrand,
  type PageReader,
  pageBrandOf,
  personPage,
  signInLink,
} from '@casewatch/platform';
import type { User } from '../../domain/user.ts';
import { logoUrlOf, type PublicUrl } from '../../present/logo-url.ts';
import type { Brand } from '../../store/partners.ts';
import { changeEmailTexts } from './change-email-texts.ts';
import { undoEmailChangeTexts } from './undo-email-change-texts.ts';
import { verifyEmailTexts } from './verify-email-texts.ts';

/** The context, as far as it is needed here. */
type Partners = PublicUrl & {
  readonly stores: { readonly partners: { brandOf(id: number | null): Promise<Brand | null> } };
};

/** Whose language and whose partner the pages of a user have. Those of a link that is of nobody have the language of the browser alone. */
export async function readerOf(at: Partners, user: User): Promise<PageReader> {
  const brand = await at.stores.partners.brandOf(user.partner_id);
  const { preferred_language: language } = user;
  return { language, brand: pageBrandOf(brand?.name ?? null, logoUrlOf(at, brand)) };
}

/** Asks to verify the present address, under the name and for the reason that the mail had. */
export function verifyPage(reader: PageReader, token: string): string {
  const { ofPartner, ...confirm } = verifyEmailTexts[reader.language].confirm;
  const { brand } = reader;
  const text = brand ? ofPartner(nameInText(brand.name)) : confirm.text;
  return buttonPage(reader, { ...confirm, text }, { action: 'verify-email', token });
}

type Verified = { readonly path: string; readonly isTold: boolean };

/**
 * `path`: of this page, as of those below. Each page at the end of a way has a link to the next. `isTold`: whether the person gets
 * messages about cases.
 */
export function verifiedPage(reader: PageReader, { path, isTold }: Verified): string {
  const { language } = reader;
  const { title, text, withoutMessages } = verifyEmailTexts[language].done;
  const said = { title, text: isTold ? text : withoutMessages };
  return personPage(reader, said, signInLink(language, path));
}

/** The link has expired: its button asks for a new one. */
export function expiredPage(reader: PageReader, token: string): string {
  const { expired } = verifyEmailTexts[reader.language];
  return buttonPage(reader, expired, { action: 'verify-email/new-link', token });
}

export function newLinkPage(reader: PageReader, path: string): string {
  const { language } = reader;
  return personPage(reader, verifyEmailTexts[language].newLink, signInLink(language, path));
}

/** The limit of mails to one address is used up. */
export function newLinkLaterPage(reader: PageReader, path: string): string {
  const { language } = reader;
  return personPage(reader, verifyEmailTexts[language].newLinkLater, signInLink(language, path));
}

/** Asks the new address to confirm a change. `account`: the masked present address of the account. */
export function confirmChangePage(reader: PageReader, token: string, account: string): string {
  const { text, effect, warning, ...confirm } = changeEmailTexts[reader.language].confirm;
  const form = {
    action: 'verify-email',
    token,
    before: html`<p>${effect}</p>\n<p>${warning}</p>\n`,
  } as const;
  return buttonPage(reader, { ...confirm, text: text(account) }, form);
}

/** Asks the present address whether to stop a requested change. `newAddress` is masked. */
export function stopChangePage(reader: PageReader, token: string, newAddress: string): string {
  const { text, ifNotYou, ...stop } = changeEmailTexts[reader.language].stop;
  const form = { action: 'undo-email-change', token, before: html`<p>${ifNotYou}</p>\n` } as const;
  return buttonPage(reader, { ...stop, text: text(newAddress) }, form);
}

export function stoppedPage(reader: PageReader, path: string): string {
  const { language } = reader;
  return personPage(reader, changeEmailTexts[language].stopped, signInLink(language, path));
}

export function undoPage(reader: PageReader, token: string): string {
  const { confirm } = undoEmailChangeTexts[reader.language];
  return buttonPage(reader, confirm, { action: 'undo-email-change', token });
}

export function undonePage(reader: PageReader, path: string): string {
  const { language } = reader;
  return personPage(reader, undoEmailChangeTexts[language].done, signInLink(language, path));
}

type Form = {
  action: 'verify-email' | 'verify-email/new-link' | 'undo-email-change';
  token: string;
  before?: Markup | null;
};

/** A page with one button that posts the token. `action` is relative, so the public address may have a path. */
function buttonPage(
  reader: PageReader,
  { title, text, button }: { title: string; text: string | Markup; button: string },
  { action, token, before = null }: Form,
): string {
  const form = html`${before}<form method="post" action="${action}">
<input type="hidden" name="token" value="${token}">
<button type="submit">${button}</button>
</form>
`;
  return personPage(reader, { title, text }, form);
}

type RefusalPages = { readonly [code in ErrorCode]?: (reader: PageReader, path: string) => string };

export const verifyRefusals: RefusalPages = {
  invalid_verification_token: (reader, path) =>
    personPage(reader, verifyEmailTexts[reader.language].invalid, signInLink(reader.language, path)),
};

export const undoRefusals: RefusalPages = {
  invalid_verification_token: (reader, path) =>
    personPage(reader, undoEmailChangeTexts[reader.language].invalid, signInLink(reader.language, path)),
  email_already_exists: (reader, path) =>
    personPage(reader, undoEmailChangeTexts[reader.language].taken, signInLink(reader.language, path)),
};

/** Turns a refusal into a page: in the browser's language where the link's user is unknown, else as `readerOf` says. */
export async function orRefusalPage(
  call: { readonly language: Language; readonly url: string; readonly brand?: PageBrand | null },
  pages: RefusalPages,
  work: () => Promise<PageAnswer>,
): Promise<PageAnswer> {
  try {
    return await work();
  } catch (error) {
    const page = error instanceof ApiError ? pages[error.code] : undefined;
    if (!page || !(error instanceof ApiError)) throw error;
    const path = pathOf(call);
    const answer = answerPage(
      page({ language: call.language, brand: call.brand ?? null }, path),
      error.status,
    );
    if (error.retryAfterS !== undefined) answer.headers['retry-after'] = String(Math.ceil(error.retryAfterS));
    return answer;
  }
}

/** Without the token. */
export function pathOf({ url }: { readonly url: string }): string {
  const [path = ''] = url.split('?');
  return path;
}
