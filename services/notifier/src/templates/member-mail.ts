import type { Language } from '@casewatch/contracts';
import { html, type Markup } from '@casewatch/platform';
import { type MemberItem, type More, maxMemberItems } from '../firm/member-mail.ts';
import { brandOf, type ShownPartner } from './brand.ts';
import { footTexts } from './foot-texts.ts';
import { layout, ourName, paragraph, type RenderedMail, textPart } from './layout.ts';
import { isUrgentItem, renderMemberItem } from './member-item.ts';
import { memberMailTexts } from './member-mail-texts.ts';

const template = 'member_mail@1';

/** Of either part of a mail. */
const maxBytes = 100_000;

/** What each mail to a member has. */
export type MemberFrame = {
  language: Language;
  /** The firm. */
  partner: ShownPartner;
  /** Where the member chooses the mails; null: the mail is to the firm's own address, which has no member. */
  settingsLink: string | null;
  /** Of the page that switches these mails off, which needs no sign-in. */
  offLink: string | null;
};

export type MemberMail = MemberFrame & {
  items: readonly MemberItem[];
  more: More | null;
  /** The reader has these mails switched off, or is no member: nobody else could be told. */
  isLastResort?: boolean;
};

/**
 * What a member hears immediately, urgent things first, then the newest (firm.md §5). Subject, preheader and first line are a count and
 * no more: lock screens, and programs that read mails aloud, show them to anybody.
 * @throws Error if there are none or too many
 */
export function renderMemberMail({ items, more, isLastResort = false, ...frame }: MemberMail): RenderedMail {
  if (items.length === 0 || items.length > maxMemberItems)
    throw new Error(`a mail to a member has 1 to ${maxMemberItems} items; not ${items.length}`);
  const texts = memberMailTexts[frame.language];
  const count = items.length + (more?.count ?? 0);
  const isUrgent = items.some(isUrgentItem);
  const rest = more === null || more.count === 0 ? null : restOf(more, frame.language);
  return inFull(({ isShort }) => {
    const parts = urgentFirst(items).map((item) =>
      renderMemberItem(item, frame.language, { isShort, level: 2 }),
    );
    return renderForMember(frame, {
      template,
      subject: texts.subject(count, isUrgent),
      heading: texts.heading(count),
      intro: texts.intro(count),
      paragraphs: [...parts.map(({ text }) => text), rest?.text ?? null],
      body: html`${parts.map((part) => part.html)}${rest?.html}`,
      isLastResort,
    });
  });
}

/** The mail with all it has to say, or a short one: Gmail cuts a mail at 102 KB of HTML, and it ends in the link that switches it off. */
export function inFull(render: (options: { isShort: boolean }) => RenderedMail): RenderedMail {
  const whole = render({ isShort: false });
  const hasRoom = [whole.html, whole.text].every((part) => Buffer.byteLength(part) <= maxBytes);
  return hasRoom ? whole : render({ isShort: true });
}

export function urgentFirst(items: readonly MemberItem[]): MemberItem[] {
  const time = ({ observedAt }: MemberItem) => observedAt.getTime();
  return [...items].sort((a, b) => Number(isUrgentItem(b)) - Number(isUrgentItem(a)) || time(b) - time(a));
}

/** How many others there are, and where. */
export function restOf({ count, link }: More, language: Language) {
  const { more, moreLink } = memberMailTexts[language];
  return {
    text: `${more(count)}\n${moreLink}:\n${link}`,
    html: paragraph(html`<strong>${more(count)}</strong> <a href="${link}">${moreLink}</a>`),
  };
}

type Parts = {
  template: string;
  subject: string;
  heading: string;
  /** Neutral, and long enough that a preview of the text ends in it. */
  intro: string;
  paragraphs: readonly (string | null)[];
  body: Markup;
  isLastResort?: boolean;
};

export function renderForMember(
  { language, partner, settingsLink, offLink }: MemberFrame,
  { template, subject, heading, intro, paragraphs, body, isLastResort = false }: Parts,
): RenderedMail {
  const texts = memberMailTexts[language];
  const { name, inSentence, logo } = brandOf(partner);
  const reason = inSentence === null ? texts.why : texts.whyFirm(inSentence);
  const why = isLastResort ? texts.lastResort(inSentence ?? ourName) : reason;
  const lines = [why, footTexts[language].disclaimer];
  const links = [
    ...(settingsLink === null ? [] : [{ label: texts.settings, link: settingsLink }]),
    ...(offLink === null ? [] : [{ label: texts.off, link: offLink }]),
  ];
  return {
    template,
    fromName: name,
    subject,
    text: textPart(
      [heading, intro, ...paragraphs],
      [...lines, ...links.flatMap(({ label, link }) => [`${label}:`, link])],
    ),
    html: layout({
      language,
      preheader: intro,
      brand: name ?? ourName,
      logo,
      heading,
      body: html`${paragraph(intro)}${body}`,
      foot: [...lines, ...links.map(({ label, link }) => html`<a href="${link}">${label}</a>`)],
    }),
  };
}
