import type { Language } from '@casewatch/contracts';

type Texts = {
  aboutCase(masked: string, reference: string): string;
  seen(when: string): string;
  changed: string;
  before: string;
  now: string;
  sameTitle: string;
  sameTitleAndText: string;
  textChanged: string;
  dateChanged: string;
  /** Heading of the entries that the history got. */
  newHistory: string;
  /** Entries that are not shown. */
  moreHistory(count: number): string;
  /** Stands behind English words in another language. */
  inEnglish: string;
  whatsapp: {
    /** `text`: without a full stop. `day`: in words, or empty. */
    history(day: string, text: string): string;
    text(title: string): string;
  };
  official: string;
  /** Stands before official words in English; null in English mails. */
  officialInEnglish: string | null;
  /** Follows `officialInEnglish` where we have an explanation. */
  explainedAbove: string | null;
  meaning: string;
  toDo: string;
  /** The estimate never stands alone: the day of the notice counts. */
  deadline: string;
  /** Before and after the estimated last day. */
  estimate: readonly [string, string];
  link: string;
  /** The history has new entries, which stand below. */
  historyChanged: string;
};

/** What mails say about one status update in our own words; a language without one of them does not compile. */
export const updateTexts: Record<Language, Texts> = {
  en: {
    aboutCase: (masked, reference) => `Case with receipt number ${masked} (reference ${reference})`,
    seen: (when) => `We saw this change on ${when}.`,
    changed: 'What changed',
    before: 'Before',
    now: 'Now',
    sameTitle: 'The title of the status is the same as before.',
    sameTitleAndText: 'The title and the text of the status are the same as before.',
    textChanged: 'The USCIS text changed.',
    dateChanged: 'USCIS shows another date on which it received the case.',
    newHistory: 'New in the history of the case at USCIS',
    moreHistory: (count) => `and ${count} more`,
    inEnglish: '(in English)',
    whatsapp: {
      history: (day, text) => `new in the case history${day && `, ${day}`}: ${text}`,
      text: (title) => `${title} (same title as before, new text)`,
    },
    official: 'What USCIS says',
    officialInEnglish: null,
    explainedAbove: null,
    meaning: 'What this means',
    toDo: 'What to do',
    deadline: 'The deadline in your notice is the one that counts. It may be earlier than our estimate.',
    estimate: [
      'By our estimate, USCIS must receive the answer by ',
      ' at the latest. Do not wait until that day.',
    ],
    link: 'See your case',
    historyChanged: 'There is something new in the history of the case at USCIS; see below.',
  },
  es: {
    aboutCase: (masked, reference) => `Caso con número de recibo ${masked} (referencia ${reference})`,
    seen: (when) => `Vimos este cambio el ${when}.`,
    changed: 'Qué cambió',
    before: 'Antes',
    now: 'Ahora',
    sameTitle: 'El título del estado del caso es el mismo que antes.',
    sameTitleAndText: 'El título y el texto del estado del caso son los mismos que antes.',
    textChanged: 'Lo que cambió es el texto oficial de USCIS.',
    dateChanged: 'USCIS muestra otra fecha de recepción del caso.',
    newHistory: 'Nuevo en el historial del caso en USCIS',
    moreHistory: (count) => `y ${count} más`,
    inEnglish: '(en inglés)',
    whatsapp: {
      history: (day, text) => `nuevo en el historial del caso${day && `, ${day}`}: ${text}`,
      text: (title) => `${title} (mismo título que antes, texto nuevo)`,
    },
    official: 'Lo que dice USCIS',
    officialInEnglish: 'Estas son las palabras oficiales de USCIS, en inglés.',
    explainedAbove: 'Nuestra explicación en español está más arriba.',
    meaning: 'Qué significa',
    toDo: 'Qué hacer',
    deadline: 'La fecha límite que vale es la de su aviso. Puede ser anterior a la de nuestro cálculo.',
    estimate: [
      'Según nuestro cálculo, USCIS debe recibir la respuesta a más tardar el ',
      '. No espere hasta ese día.',
    ],
    link: 'Ver su caso',
    historyChanged: 'Hay algo nuevo en el historial del caso en USCIS; está más abajo.',
  },
  pt: {
    aboutCase: (masked, reference) => `Caso com número de recibo ${masked} (referência ${reference})`,
    seen: (when) => `Vimos esta mudança em ${when}.`,
    changed: 'O que mudou',
    before: 'Antes',
    now: 'Agora',
    sameTitle: 'O título do status é o mesmo de antes.',
    sameTitleAndText: 'O título e o texto do status são os mesmos de antes.',
    textChanged: 'O que mudou é o texto do USCIS.',
    dateChanged: 'O USCIS mostra outra data de recebimento do caso.',
    newHistory: 'Novo no histórico do caso no USCIS',
    moreHistory: (count) => `e mais ${count}`,
    inEnglish: '(em inglês)',
    whatsapp: {
      history: (day, text) => `novo no histórico do caso${day && `, ${day}`}: ${text}`,
      text: (title) => `${title} (mesmo título de antes, texto novo)`,
    },
    official: 'O que diz o USCIS',
    officialInEnglish: 'Estas são as palavras oficiais do USCIS, em inglês.',
    explainedAbove: 'A nossa explicação em português está mais acima.',
    meaning: 'O que isso significa',
    toDo: 'O que fazer',
    deadline: 'Vale o prazo escrito no seu aviso. Ele pode terminar antes da nossa estimativa.',
    estimate: [
      'Pela nossa estimativa, o USCIS precisa receber a resposta até ',
      ', no máximo. Não espere até esse dia.',
    ],
    link: 'Ver o seu caso',
    historyChanged: 'Há algo novo no histórico do caso no USCIS; está mais abaixo.',
  },
};
