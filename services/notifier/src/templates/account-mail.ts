import type { Language, PartnerSetting, SecondFactorChange } from '@casewatch/contracts';
import { html, type Markup } from '@casewatch/platform';
import { accountMailTexts } from './account-mail-texts.ts';
import { type Brand, brandOf, type ShownPartner } from './brand.ts';
import { dayInWords } from './date-in-words.ts';
import { footTexts } from './foot-texts.ts';
import { button, layout, ourName, paragraph, type RenderedMail, textPart } from './layout.ts';
import { styles } from './styles.ts';

const template = 'account_mail@8';

/** It contains no text that a caller wrote (notifier.md). What it shows of a partner, the operator sets. */
export type AccountMail =
  | { kind: 'login_code'; code: string; validMinutes: number; isForStaff: boolean }
  | { kind: 'verify_email'; link: string }
  | { kind: 'address_changed'; link: string }
  | { kind: 'address_taken' }
  | { kind: 'confirm_new_address'; link: string }
  | { kind: 'address_change_asked'; link: string }
  | { kind: 'staff_invitation'; link: string }
  | { kind: 'staff_signed_in'; link: string }
  | { kind: 'settings_changed'; link: string; settings: readonly PartnerSetting[] }
  | { kind: 'second_factor_changed'; link: string; change: SecondFactorChange; codesLeft: number }
  | { kind: 'confirm_reply_to'; link: string }
  | { kind: 'welcome'; link: string }
  | { kind: 'verify_reminder'; link: string }
  | { kind: 'partner_deletion'; endsAt: Date };

/** Whom the mail is for. `partner`: that of the reader. */
export type Reader = { language: Language; partner: ShownPartner | null };

/** A code mail has one six-digit number and no `token=`; a link has a line of its own (interface.md, Small print). */
export function renderAccountMail(mail: AccountMail, { language, partner }: Reader): RenderedMail {
  const texts = accountMailTexts[language];
  const brand = brandOf(mail.kind === 'login_code' ? withoutNumbers(partner) : partner);
  const reader = { language, brand };
  if (mail.kind === 'login_code') return codeMail(mail, reader);
  if (mail.kind === 'address_taken') return takenMail(reader);
  if (mail.kind === 'partner_deletion') return deletionMail(mail.endsAt, reader);
  if (mail.kind === 'verify_email') return linkMail(verifyTexts(reader), mail.link, reader);
  if (mail.kind === 'staff_invitation') return linkMail(invitationTexts(reader), mail.link, reader);
  if (mail.kind === 'staff_signed_in') return linkMail(signedInTexts(reader), mail.link, reader);
  if (mail.kind === 'settings_changed')
    return linkMail(changedTexts(mail.settings, reader), mail.link, reader);
  if (mail.kind === 'second_factor_changed') return linkMail(factorTexts(mail, reader), mail.link, reader);
  if (mail.kind === 'confirm_reply_to') return linkMail(replyToTexts(reader), mail.link, reader);
  if (mail.kind === 'verify_reminder') return linkMail(reminderTexts(reader), mail.link, reader);
  const { [mail.kind]: own } = texts;
  return linkMail({ ...own, last: 'asked' in own ? own.asked : own.unasked }, mail.link, reader);
}

type BrandedReader = { language: Language; brand: Brand };

/** Mail programs look for a code in the mail: a telephone number, or a file name of a logo, could be taken for it. */
function withoutNumbers(partner: ShownPartner | null): ShownPartner | null {
  const isCodeLike = (text: string | null) => /\d{6}|token=/.test(text ?? '');
  if (partner === null || isCodeLike(partner.name)) return null;
  const { logo_url } = partner;
  return { ...partner, logo_url: isCodeLike(logo_url) ? null : logo_url, support_contact: null };
}

/** The first mail of a partner's client: without the name and the reason it looks like a fraud. */
function verifyTexts({ language, brand: { inSentence } }: BrandedReader): LinkTexts {
  const { verify_email: texts, ofPartner } = accountMailTexts[language];
  if (inSentence === null) return { ...texts, last: texts.unasked };
  return {
    ...texts,
    heading: ofPartner.verifyHeading(inSentence),
    intro: ofPartner.verifyIntro(inSentence),
    last: ofPartner.verifyUnasked(inSentence),
  };
}

/** The same link again, after days: calm, and the last of two. */
function reminderTexts({ language, brand: { inSentence } }: BrandedReader): LinkTexts {
  const { verify_reminder: texts, verify_email, ofPartner } = accountMailTexts[language];
  const { button, validity } = verify_email;
  if (inSentence === null) return { ...texts, button, validity, last: texts.unasked };
  const last = ofPartner.verifyUnasked(inSentence);
  return { ...texts, intro: ofPartner.reminderIntro(inSentence), button, validity, last };
}

/** To somebody who works at the partner, not to a client of it. */
function invitationTexts({ language, brand: { inSentence } }: BrandedReader): LinkTexts {
  const { staff_invitation: texts, ofPartner } = accountMailTexts[language];
  if (inSentence === null) return { ...texts, last: texts.unasked };
  return {
    ...texts,
    heading: ofPartner.inviteHeading(inSentence),
    intro: ofPartner.inviteIntro(inSentence),
    last: ofPartner.inviteUnasked(inSentence),
    why: ofPartner.whyStaff(inSentence),
  };
}

function signedInTexts({ language, brand: { inSentence } }: BrandedReader): LinkTexts {
  const { staff_signed_in: texts, ofPartner } = accountMailTexts[language];
  const why = inSentence === null ? {} : { why: ofPartner.whyStaff(inSentence) };
  return { ...texts, last: texts.unasked, ...why };
}

function changedTexts(
  settings: readonly PartnerSetting[],
  { language, brand: { inSentence } }: BrandedReader,
): LinkTexts {
  const { settings_changed: texts, settingNames, ofPartner } = accountMailTexts[language];
  const names = new Intl.ListFormat(language).format(settings.map((name) => settingNames[name]));
  const why = inSentence === null ? {} : { why: ofPartner.whyStaff(inSentence) };
  return { ...texts, intro: texts.intro(names), last: texts.unasked, ...why };
}

function factorTexts(
  { change, codesLeft }: AccountMail & { kind: 'second_factor_changed' },
  { language, brand: { inSentence } }: BrandedReader,
): LinkTexts {
  const { second_factor_changed: texts, ofPartner } = accountMailTexts[language];
  const { subject, intro, next } = texts[change];
  const why = inSentence === null ? {} : { why: ofPartner.whyStaff(inSentence) };
  const { button, unasked: last } = texts;
  return { subject, heading: subject, intro, button, validity: next(codesLeft), last, ...why };
}

/** To somebody who may not know the partner. */
function replyToTexts({ language, brand: { inSentence } }: BrandedReader): LinkTexts {
  const { confirm_reply_to: texts } = accountMailTexts[language];
  const { intro, unasked, why, ...others } = texts;
  const partner = inSentence ?? 'Casewatch';
  return { ...others, intro: intro(partner), last: unasked(partner), why: why(partner) };
}

function codeMail(mail: AccountMail & { kind: 'login_code' }, reader: BrandedReader): RenderedMail {
  const { login_code: texts, ofPartner } = accountMailTexts[reader.language];
  const { inSentence } = reader.brand;
  const why = mail.isForStaff && inSentence !== null ? { why: ofPartner.whyStaff(inSentence) } : {};
  const validity = texts.validity(mail.validMinutes);
  const code = html`<p style="margin:0 0 16px;font-size:30px;line-height:36px;letter-spacing:4px"><strong>${mail.code}</strong></p>
`;
  return framed({ ...texts, ...why }, reader, {
    preheader: validity,
    paragraphs: [texts.code, mail.code, validity, texts.unasked],
    body: html`${paragraph(texts.code)}${code}${paragraph(validity)}${paragraph(texts.unasked)}`,
  });
}

type LinkTexts = {
  subject: string;
  heading: string;
  intro: string;
  button: string;
  validity: string;
  last: string;
  /** Why the reader gets the mail; default: as the client of a partner. */
  why?: string;
};

function linkMail(texts: LinkTexts, link: string, reader: BrandedReader): RenderedMail {
  const address = html`<p class="soft" style="${styles.softParagraph};word-break:break-all">${link}</p>
`;
  return framed(texts, reader, {
    preheader: texts.intro,
    paragraphs: [texts.intro, link, texts.validity, texts.last],
    body: html`${paragraph(texts.intro)}${button(link, texts.button)}${address}${paragraph(texts.validity)}${paragraph(
      texts.last,
    )}`,
  });
}

function takenMail(reader: BrandedReader): RenderedMail {
  const { address_taken: texts } = accountMailTexts[reader.language];
  const paragraphs = [texts.intro, texts.next, texts.unasked];
  const body = html`${paragraphs.map((part) => paragraph(part))}`;
  return framed(texts, reader, { preheader: texts.intro, paragraphs, body });
}

/** Nobody of the partner can sign in any more, so there is no link. */
function deletionMail(endsAt: Date, reader: BrandedReader): RenderedMail {
  const { partner_deletion: texts, ofPartner } = accountMailTexts[reader.language];
  const day = dayInWords(endsAt.toISOString().slice(0, 10), reader.language);
  const paragraphs = [texts.intro(day), texts.meanwhile, texts.unasked(day)];
  const body = html`${paragraphs.map((part) => paragraph(part))}`;
  const { inSentence } = reader.brand;
  const why = inSentence === null ? {} : { why: ofPartner.whyStaff(inSentence) };
  return framed({ ...texts, ...why }, reader, { preheader: texts.intro(day), paragraphs, body });
}

type Frame = { preheader: string; paragraphs: string[]; body: Markup };

function framed(
  { subject, heading, why }: { subject: string; heading: string; why?: string },
  { language, brand: { name, inSentence, logo, contact } }: BrandedReader,
  { preheader, paragraphs, body }: Frame,
): RenderedMail {
  const { disclaimer, ofPartner } = accountMailTexts[language];
  const foot = [
    ...(inSentence === null ? [] : [why ?? ofPartner.why(inSentence)]),
    ...(contact === null ? [] : [footTexts[language].support(contact)]),
    disclaimer,
  ];
  return {
    template,
    fromName: name,
    subject,
    text: textPart(paragraphs, foot),
    html: layout({ language, preheader, brand: name ?? ourName, logo, heading, body, foot }),
  };
}
