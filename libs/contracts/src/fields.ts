import { z } from 'zod';
import { unknownValues } from './reading/unknown-values.ts';
import { type ReceiptFault, readReceiptNumber } from './receipt-number.ts';
import { queryWords } from './search-words.ts';

/** Integer ids: 1 … 2^53−1 (interface.md §1). */
export const id = z.int().min(1).max(Number.MAX_SAFE_INTEGER);

/** Decimal digits without sign or leading zeros. */
export const idText = z
  .string()
  .regex(/^[1-9]\d{0,15}$/, 'must be an integer from 1 to 9007199254740991')
  .transform(Number)
  .refine((n) => n <= Number.MAX_SAFE_INTEGER, 'must be an integer from 1 to 9007199254740991');

/** ISO 8601 with milliseconds and Z, e.g. `2026-11-21T10:00:00.000Z`. */
export const isoTime = z.iso.datetime({ precision: 3 }).max(24);

/** `YYYY-MM-DD HH:MM:SS` in UTC: GET responses under /v1/client (specification §2). */
export const partnerTime = z.string().regex(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/);

/** A day of the calendar, `YYYY-MM-DD`; 2027-02-29 is none. */
export const dayText = z.iso
  .date({ error: 'must be a day of the calendar, as YYYY-MM-DD' })
  .meta({ maxLength: 10 });

// No NUL or other C0/C1 control characters, no unpaired surrogates: such text breaks mails, logs and clients.
// biome-ignore lint/suspicious/noControlCharactersInRegex: refusing them is the point
const controlCharacters = /[\u0000-\u001f\u007f-\u009f]/;

// Format characters (Unicode class Cf: direction marks, zero-width spaces, soft hyphens, tags) and line separators make
// text look like other text. The joiners U+200C and U+200D are allowed: Persian, Sinhala and other scripts need them.
const invisibleCharacters = /(?![\u200c\u200d])\p{Cf}|[\u2028\u2029]/u;

// Neither a space, a control or format character, a mark (accents, variation selectors), nor a letter that is drawn as
// nothing (Hangul fillers); U+2800 is a Braille cell without dots.
const visibleCharacter = /[^\p{Z}\p{C}\p{M}\p{Default_Ignorable_Code_Point}\u2800]/u;

/** One line of text that a person typed, of `min` to `max` characters. What is not empty has a visible character. */
export function line(min: number, max: number) {
  return (
    z
      .string()
      .trim()
      // The same letters may come in one code point or in two: what is compared and counted is one spelling.
      .normalize('NFC')
      .min(min)
      .max(max)
      .refine((s) => !controlCharacters.test(s), 'must not contain control characters')
      .refine(
        (s) => !invisibleCharacters.test(s),
        'must not contain invisible formatting characters, such as marks that turn the direction of text',
      )
      .refine((s) => s === '' || visibleCharacter.test(s), 'must contain a visible character')
      .refine((s) => s.isWellFormed(), 'must be well-formed Unicode')
  );
}

// RFC 5322 §3.2.3: a dot-atom. Of RFC 5321's local parts only the quoted ones are missing.
const localPart = /[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\.[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+)*/;
// The last label has letters only, or is punycode (RFC 5890 §2.3.2.1), as in `почта.рф`: `xn--80a1acny.xn--p1ai`.
const domain = /(?:[A-Za-z0-9][A-Za-z0-9-]*\.)+(?:[A-Za-z]{2,}|[Xx][Nn]--[A-Za-z0-9-]*[A-Za-z0-9])/;

/** Most characters of an e-mail address, of a name and of a description. Fields of forms have them, too. */
export const maxEmail = 254;
export const maxName = 120;
export const maxDescription = 255;

/** E-mail address: trimmed, case kept, ≤ 254, local part ≤ 64 (RFC 5321 §4.5.3). */
export const email = z
  .string()
  .trim()
  .max(maxEmail)
  .pipe(z.email({ pattern: new RegExp(`^${localPart.source}@${domain.source}$`) }))
  .refine((s) => s.indexOf('@') <= 64, 'must have at most 64 characters before the @');

/** E.164; services check plausibility further. */
export const phone = z
  .string()
  .trim()
  .regex(/^\+[1-9]\d{6,14}$/, 'must be an E.164 number such as +12025550123');

/** A zone of the IANA database, such as `America/Chicago`; or UTC. */
export const timeZone = z.string().max(64).refine(isTimeZone, 'must be a time zone such as America/Chicago');

/** Of a zone of the IANA database. An offset such as `+05:30` is none: it does not know when clocks change. */
const zoneName = /^[A-Z][A-Za-z0-9_+-]*(?:\/[A-Z][A-Za-z0-9_+-]*)*$/;

/** Intl knows more names than it lists: it lists `Asia/Calcutta`, and knows `Asia/Kolkata`, too. */
export function isTimeZone(zone: string): boolean {
  if (!zoneName.test(zone)) return false;
  try {
    return new Intl.DateTimeFormat('en-US', { timeZone: zone }) !== undefined;
  } catch (err) {
    if (err instanceof RangeError) return false;
    throw err;
  }
}

/** Where links in messages of a partner lead; `{user_case_id}` is replaced. A user name in an address can hide its host. */
export const caseUrl = z
  .url({ protocol: /^https$/, error: 'must be an https URL' })
  .max(500)
  .refine((text) => {
    // What is no address is refused above; this runs all the same.
    if (!URL.canParse(text)) return true;
    const { username, password } = new URL(text);
    return username === '' && password === '';
  }, 'must not contain a user name');

export const name = line(1, maxName);
export const language = z.enum(['en', 'es', 'pt']).register(unknownValues, { readAs: 'en' });
export const userStatus = z
  .enum(['active', 'inactive', 'suspended'])
  .register(unknownValues, { readAs: 'inactive' });
/** Of a partner; what a suspended one is owed waits. */
export const partnerStatus = z.enum(['active', 'suspended']).register(unknownValues, { readAs: 'suspended' });
export const description = line(0, maxDescription);
/** Most characters of a search. */
export const maxSearchText = 120;
/** What somebody types into a search box. */
export const searchText = line(1, maxSearchText).refine(
  (text) => queryWords(text).length > 0,
  'must contain a letter or a digit',
);
/** The number or name that a firm gives a matter. */
export const matterReference = line(1, 64);

const receiptFaults: Readonly<Record<ReceiptFault, string>> = {
  letter_o:
    'has the letter O in place of the digit 0, or the reverse: it is three letters followed by ten digits, such as EAC9999103403',
  masked: 'has a * in place of a digit: send the whole number, as shown on the receipt notice (Form I-797)',
  other: 'must be three letters followed by ten digits, such as EAC9999103403',
};

/** A receipt number as people paste it, cleaned by `readReceiptNumber`. */
export const receiptNumber = z
  .string()
  .max(64)
  .transform((text, ctx) => {
    const { receipt, fault } = readReceiptNumber(text);
    if (fault === null) return receipt;
    const params = { code: 'invalid_receipt_number' };
    ctx.addIssue({ code: 'custom', message: receiptFaults[fault], params });
    return z.NEVER;
  });

/** Numeric id or `user_case_id`. */
export const caseRef = z
  .string()
  .regex(/^([1-9]\d{0,15}|FLOW\d{7,16})$/, { error: 'must be a case id or a FLOW reference', abort: true })
  .refine(
    (text) => Number(text.replace('FLOW', '')) <= Number.MAX_SAFE_INTEGER,
    'must be a case id or a FLOW reference',
  );

export type Language = z.infer<typeof language>;
export type UserStatus = z.infer<typeof userStatus>;

/** For the attribute `lang` of HTML: a screen reader takes its voice from it, and our Portuguese is that of Brazil. */
export const htmlLanguage: Readonly<Record<Language, string>> = { en: 'en', es: 'es', pt: 'pt-BR' };
