import type { MailPartner } from '@casewatch/contracts';
import { html, type Markup } from '@casewatch/platform';
import { cleanLine, isolated } from './clean-text.ts';

export type ShownPartner = Omit<MailPartner, 'reply_to'>;

export type Brand = {
  /** For the sender's name and above the heading; null: the mail is ours alone. */
  name: string | null;
  /** The name for a sentence of ours. */
  inSentence: string | null;
  logo: Markup | null;
  /** Where the reader asks the partner. */
  contact: string | null;
};

/** What a mail shows of the partner of its reader. */
export function brandOf(partner: ShownPartner | null): Brand {
  const name = (partner && cleanLine(partner.name, 120)) || null;
  if (partner === null || name === null) return { name: null, inSentence: null, logo: null, contact: null };
  const contact = (partner.support_contact && cleanLine(partner.support_contact, 200)) || null;
  return { name, inSentence: isolated(name), logo: logoOf(partner), contact };
}

/** Its alternative text is empty: the name stands beside it. */
function logoOf({ logo_url: url }: ShownPartner): Markup | null {
  if (!url?.startsWith('https://')) return null;
  return html`<img src="${url}" alt="" height="40" style="display:block;margin:0 0 8px;max-width:200px;border:0">\n`;
}
