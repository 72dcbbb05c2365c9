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

/** Without a text of its own: the name stands beside it. A partner from before our copies has only the address of its own. */
function logoOf({ logo_url, shown_logo_url = logo_url }: ShownPartner): Markup | null {
  if (!shown_logo_url?.startsWith('https://')) return null;
  const url = shown_logo_url;
  return html`<img src="${url}" alt="" height="40" style="display:block;margin:0 0 8px;max-width:200px;border:0">\n`;
}
