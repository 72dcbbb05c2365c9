import type { Language } from '../fields.ts';
import { type Answerable, answerBy } from './answer-by.ts';
import { matchStatus } from './match-status.ts';

/** For titles outside the status table. */
const unknown: Record<Language, string> = {
  en: 'This is the status that USCIS shows now. Please read the official text for what it means.',
  es: 'Este es el estado que muestra USCIS ahora. Lea el texto oficial para saber qué significa.',
  pt: 'Este é o status que o USCIS mostra agora. Leia o texto oficial para saber o que significa.',
};

const locales: Record<Language, string> = { en: 'en-US', es: 'es-US', pt: 'pt-BR' };

const deadline: Record<Language, (day: string) => string> = {
  en: (day) => `The notice gives the date for the answer; our estimate of the latest possible day is ${day}.`,
  es: (day) =>
    `El aviso indica la fecha para responder; según nuestro cálculo, el último día posible es el ${day}.`,
  pt: (day) => `O aviso traz a data para a resposta; pela nossa estimativa, o último dia possível é ${day}.`,
};

/** interface.md §3 */
export function detailMessage(status: Answerable, language: Language): string {
  return explainStatus(status.status_code, answerBy(status), language);
}

export function explainStatus(title: string, latestDay: string | null, language: Language): string {
  const { knownStatus } = matchStatus(title);
  if (!knownStatus) return unknown[language];
  return [
    knownStatus.meaning[language],
    knownStatus.action?.[language],
    latestDay === null ? null : deadline[language](dayInWords(latestDay, language)),
  ]
    .filter((sentence) => typeof sentence === 'string')
    .join(' ');
}

function dayInWords(day: string, language: Language): string {
  return new Intl.DateTimeFormat(locales[language], { dateStyle: 'long', timeZone: 'UTC' }).format(
    new Date(day),
  );
}
