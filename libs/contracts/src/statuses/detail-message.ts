import type { Language } from '../fields.ts';
import { matchStatus } from './match-status.ts';

/** For a title that our table does not know: true, and no words put in the government's mouth. */
const unknown: Record<Language, string> = {
  en: 'This is the status that USCIS shows now. Please read the official text for what it means.',
  es: 'Este es el estado que muestra USCIS ahora. Lea el texto oficial para saber qué significa.',
  pt: 'Este é o status que o USCIS mostra agora. Leia o texto oficial para saber o que significa.',
};

/**
 * `detail_message`: our plain-language sentences about a status, in the reader's language (interface.md §3). The
 * government's own words stand beside them, unchanged.
 */
export function detailMessage(title: string, language: Language): string {
  const { known } = matchStatus(title);
  if (!known) return unknown[language];
  return known.action ? `${known.meaning[language]} ${known.action[language]}` : known.meaning[language];
}
