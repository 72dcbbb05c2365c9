import type { Language } from '@casewatch/contracts';
import type { NotificationFacts } from '../domain/notification-facts.ts';
import type { RenderedMail } from './layout.ts';
import { renderStatusMail, type StatusMail } from './status-mail.ts';

export type DigestItem = {
  facts: NotificationFacts;
  observedAt: Date;
  /** Address of the case, if there is one. */
  link: string | null;
};

export type DigestMail = Pick<StatusMail, 'partner'> & {
  language: Language;
  items: readonly DigestItem[];
};

/** Several updates of one user in one mail, the newest first. */
export function renderDigestMail({ items, ...frame }: DigestMail): RenderedMail {
  const mails = items.map((item) => renderStatusMail({ ...frame, ...item }));
  const [first] = mails;
  if (!first) throw new Error('a digest has at least one update');
  return {
    subject: first.subject,
    text: mails.map(({ text }) => text).join('\n'),
    html: mails.map(({ html }) => html).join('\n'),
  };
}
