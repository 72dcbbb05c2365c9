import { matchStatus, type StatusUpdated } from '@casewatch/contracts';
import { factsOf, type NotificationFacts } from '../../src/domain/notification-facts.ts';
import type { RenderedMail } from '../../src/templates/layout.ts';
import { anUpdate, aPartner } from './fixtures.ts';

export const observedAt = new Date('2026-11-21T15:04:00.000Z');
const unsubscribe = 'https://api.casewatch.example/v1/unsubscribe?token=12.email.4kq-A_0';
export const direct = { partner: null, link: null, observedAt, unsubscribe };
export const partnered = {
  partner: aPartner(),
  link: 'https://santos.example/cases/FLOW0000012',
  observedAt,
  unsubscribe,
};

/** Facts of an update to a status of our table, where USCIS served English only. */
export function factsInEnglishOnly(
  title: string,
  change: Partial<StatusUpdated['status_update']> = {},
): NotificationFacts {
  const known = matchStatus(title).knownStatus;
  const texts = {
    status_code: title,
    status_code_es: known?.es ?? null,
    status_description_es: known?.meaning.es ?? null,
    status_code_pt: known?.pt ?? null,
    status_description_pt: known?.meaning.pt ?? null,
  };
  return factsOf({ ...anUpdate(12, 12, { ...texts, ...change }), spanish_source: 'casewatch' });
}

/** What a reader of the HTML part sees, and what previews show: the text without tags. */
export function visibleText(mail: RenderedMail): string {
  const body = mail.html.slice(mail.html.indexOf('<body'));
  return body
    .replace(/<!--.*?-->/gs, '')
    .replace(/<[^>]+>|&#847;&zwnj;&nbsp;/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();
}
