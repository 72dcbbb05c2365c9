import { type Language, language as languages } from '@casewatch/contracts';
import { type TemplateKey, whatsappTemplates } from '../templates/whatsapp-templates.ts';
import type { Whatsapp } from './twilio.ts';

export type TemplateState = {
  template: TemplateKey;
  language: Language;
  sid: string | null;
  /** Approved, of the right category, and with our words. */
  isReady: boolean;
  finding: string;
};

/** Compares each template of this repository with the provider's. @throws Error if Twilio does not answer */
export async function readTemplateStates(whatsapp: Whatsapp): Promise<TemplateState[]> {
  const keys = Object.keys(whatsappTemplates) as TemplateKey[];
  const pairs = keys.flatMap((template) => languages.options.map((language) => ({ template, language })));
  const states: TemplateState[] = [];
  for (const { template, language } of pairs) {
    const sid = whatsapp.contentSid(template, language);
    const finding =
      sid === null ? 'no SID in TWILIO_CONTENT_SIDS' : await compare(whatsapp, sid, template, language);
    states.push({ template, language, sid, isReady: finding === 'ready', finding });
  }
  return states;
}

async function compare(
  whatsapp: Whatsapp,
  sid: string,
  template: TemplateKey,
  language: Language,
): Promise<string> {
  const content = await whatsapp.fetchContent(sid);
  if (!content) return 'unknown at Twilio';
  if (content.status !== 'approved') return `not approved: ${content.status}`;
  if (content.category.toUpperCase() !== 'UTILITY') return `category ${content.category} instead of UTILITY`;
  if (!content.texts.includes(whatsappTemplates[template].body[language]))
    return 'text differs from this release';
  return 'ready';
}
