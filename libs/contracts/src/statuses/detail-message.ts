import type { Language } from '../fields.ts';
import { type Answerable, answerBy } from './answer-by.ts';
import { matchStatus } from './match-status.ts';

/** For titles outside the status table. */
const unknown: Record<Language, string> = {
  en: 'This is the status that USCIS shows now. Please read the official text to see what it means.',
  es: 'Este es el estado del caso que muestra USCIS ahora. Lea el texto oficial para saber qué significa.',
  pt: 'Este é o status que o USCIS mostra agora. Leia o texto oficial para saber o que significa.',
};

const locales: Record<Language, string> = { en: 'en-US', es: 'es-US', pt: 'pt-BR' };
/** Made at the first use: they take 14 ms of every start. */
const dayFormats: Partial<Record<Language, Intl.DateTimeFormat>> = {};

const deadline: Record<Language, (day: string) => string> = {
  en: (day) =>
    `Follow the deadline in the notice; it may be earlier than our estimate. By our estimate, USCIS must receive the answer by ${day} at the latest. Do not wait until that day.`,
  es: (day) =>
    `Siga la fecha límite que indica el aviso; puede ser anterior a la de nuestro cálculo. Según nuestro cálculo, USCIS debe recibir la respuesta a más tardar el ${day}. No espere hasta ese día.`,
  pt: (day) =>
    `Siga o prazo escrito no aviso; ele pode terminar antes da nossa estimativa. Pela nossa estimativa, o USCIS precisa receber a resposta até ${day}, no máximo. Não espere até esse dia.`,
};

/** interface.md §3 */
export function detailMessage(status: Answerable, language: Language, now: Date): string {
  return explainStatus(status.status_code, answerBy(status, now), language);
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
  dayFormats[language] ??= new Intl.DateTimeFormat(locales[language], { dateStyle: 'long', timeZone: 'UTC' });
  return dayFormats[language].format(new Date(day));
}
