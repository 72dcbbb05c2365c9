import type { Language } from '../fields.ts';
import type { RespondBy } from '../resources/status-update.ts';
import { asSpoken } from '../times.ts';
import { type Answerable, answerBy } from './answer-by.ts';
import { matchStatus } from './match-status.ts';

/** For titles outside the status table. The official text is all that a person has, and its deadline counts. */
const unknown: Record<Language, string> = {
  en: 'We do not have an explanation of this status yet. Read the official text: it may have a deadline. If you are not sure what it means, ask an immigration lawyer or accredited representative (uscis.gov/avoid-scams) to read it with you.',
  es: 'Todavía no tenemos una explicación de este estado del caso. El texto oficial puede estar en inglés y tener una fecha límite. Pida a alguien de confianza, o a un abogado de inmigración o representante acreditado (uscis.gov/avoid-scams), que lo lea con usted.',
  pt: 'Ainda não temos uma explicação para este status. O texto oficial está em inglês e pode ter um prazo. Peça a alguém de confiança, ou a um advogado de imigração ou representante credenciado (uscis.gov/avoid-scams), que leia o texto com você.',
};

/** Categories in which a right can be lost, also where only keywords of a title say so. */
const grave: ReadonlySet<string> = new Set(['denied', 'rejected', 'evidence']);
const received = /\breceived\b/i;
const graveAction: Record<Language, string> = {
  en: 'Read the notice of USCIS, note its date and any deadline in it, and keep a copy; time limits can be short. Talk soon with an immigration lawyer or accredited representative (uscis.gov/avoid-scams), and check that USCIS has your correct address (uscis.gov/addresschange). If the notice does not come, ask for a copy at uscis.gov/e-request.',
  es: 'Lea el aviso de USCIS, anote la fecha del aviso y la fecha límite, si la hay, y guarde una copia; los plazos pueden ser cortos. Hable pronto con un abogado de inmigración o representante acreditado (uscis.gov/avoid-scams) y confirme que USCIS tiene su dirección postal correcta (uscis.gov/addresschange). Si el aviso no llega, pida una copia en uscis.gov/e-request.',
  pt: 'Leia o aviso do USCIS e guarde uma cópia. Anote a data e os prazos que ele traz; os prazos podem ser curtos. Fale logo com um advogado de imigração ou representante credenciado (uscis.gov/avoid-scams) e confira se o USCIS tem o seu endereço correto (uscis.gov/addresschange). Se o aviso não chegar, peça uma cópia em uscis.gov/e-request.',
};

const locales: Record<Language, string> = { en: 'en-US', es: 'es-US', pt: 'pt-BR' };
/** Made at the first use: they take 14 ms of every start. */
const dayFormats: Partial<Record<Language, Intl.DateTimeFormat>> = {};

const deadline: Record<Language, (day: string) => string> = {
  en: (day) =>
    `Follow the deadline in the notice; it may be earlier than our estimate. By our estimate, USCIS must receive the answer by ${day} at the latest. Do not wait until that day.`,
  es: (day) =>
    `La fecha límite que vale es la del aviso; puede ser anterior a la de nuestro cálculo. Según nuestro cálculo, USCIS debe recibir la respuesta a más tardar el ${day}. No espere hasta ese día.`,
  pt: (day) =>
    `Siga o prazo escrito no aviso; ele pode terminar antes da nossa estimativa. Pela nossa estimativa, o USCIS precisa receber a resposta até ${day}, no máximo. Não espere até esse dia.`,
};

/** What the firm read in the notice stands before all else (firm.md §4). */
const noticed: Record<Language, (day: string) => string> = {
  en: (day) =>
    `USCIS must receive the answer by ${day}. That is the deadline in the notice. Do not wait until that day.`,
  es: (day) =>
    `USCIS debe recibir la respuesta a más tardar el ${day}. Es la fecha límite del aviso. No espere hasta ese día.`,
  pt: (day) =>
    `O USCIS precisa receber a resposta até ${day}. É o prazo escrito no aviso. Não espere até esse dia.`,
};

/** `respond_by`: of the status update, if it is stored. */
type Explained = Answerable & { respond_by?: RespondBy | null | undefined };

/** interface.md §3 */
export function detailMessage(status: Explained, language: Language, now: Date): string {
  const { status_code: title, respond_by } = status;
  if (respond_by?.source !== 'notice') return explainStatus(title, answerBy(status, now), language);
  const words = explainStatus(title, null, language);
  const isPast = respond_by.date < now.toISOString().slice(0, 10);
  return isPast ? words : `${noticeSentence(respond_by.date, language)} ${words}`;
}

/** With the day that the notice names, `YYYY-MM-DD`. */
export function noticeSentence(day: string, language: Language): string {
  return noticed[language](dayInWords(day, language));
}

export type StatusWords = {
  readonly meaning: string;
  /** What to do; null if there is nothing. */
  readonly action: string | null;
  /** False where the status table does not know the title: `meaning` then explains nothing. */
  readonly isKnown: boolean;
};

/** Our words about a title: those of its row. A title outside the table gets general ones, by the category of its keywords. */
export function statusWords(title: string, language: Language): StatusWords {
  const { knownStatus, category } = matchStatus(title);
  if (knownStatus) {
    const { meaning, action } = knownStatus;
    return { meaning: meaning[language], action: action?.[language] ?? null, isKnown: true };
  }
  const isGrave = grave.has(category) && !received.test(title);
  return { meaning: unknown[language], action: isGrave ? graveAction[language] : null, isKnown: false };
}

/** Meaning, action and deadline, in this order, as one text. */
export function explainStatus(title: string, latestDay: string | null, language: Language): string {
  const { meaning, action } = statusWords(title, language);
  return [meaning, action, latestDay === null ? null : deadline[language](dayInWords(latestDay, language))]
    .filter((sentence) => typeof sentence === 'string')
    .join(' ');
}

function dayInWords(day: string, language: Language): string {
  dayFormats[language] ??= new Intl.DateTimeFormat(locales[language], { dateStyle: 'long', timeZone: 'UTC' });
  return asSpoken(dayFormats[language].format(new Date(day)), language);
}
