import { describe, expect, it } from '@jest/globals';
import { readStopWord } from '../../src/domain/stop-word.ts';
import { whatsappTemplates } from '../../src/templates/whatsapp-templates.ts';

/** As each list writes them. */
const twilioStops = ['STOP', 'STOPALL', 'UNSUBSCRIBE', 'END', 'QUIT', 'CANCEL', 'REVOKE', 'OPTOUT'];
const fccStops = ['stop', 'quit', 'end', 'revoke', 'opt out', 'cancel', 'unsubscribe'];
const spanishStops = [
  'BAJA',
  'Darme de baja',
  'alto',
  'PARAR',
  'Pare',
  'detener',
  'Deténgase',
  'cancelar',
  'fin',
  'salir',
];
const portugueseStops = [
  'SAIR',
  'parar',
  'Pare',
  'cancelar',
  'fim',
  'encerrar',
  'descadastrar',
  'Não quero mais',
];

const stops = [
  ...[...twilioStops, ...fccStops, ...spanishStops, ...portugueseStops],
  // Case, punctuation, spaces, accents and full-width forms.
  ...[
    'sToP',
    'stop.',
    ' Baja ',
    'PARAR!',
    '«Cancelar»',
    '"STOP"',
    '¡Alto!',
    'S T O P',
    'S.T.O.P.',
    'Opt-Out',
    'opt_out',
  ],
  ...[
    'STOP\n',
    'DETEN',
    'nao quero mais',
    'ＳＴＯＰ',
    'Dete\u0301n',
    'STOP 🛑',
    'STOP STOP',
    'Stop! Cancel.',
  ],
  // Politeness.
  ...[
    'Baja por favor',
    'Baja, gracias',
    'por favor, DARME DE BAJA',
    'stop please',
    'Please STOP. Thank you!',
    'Pare, muito obrigada',
  ],
  // What is not seen: marks of direction, joiners, a word joiner, a soft hyphen, a filler, a variation selector.
  ...[
    '\u200eSTOP\u200f',
    'ST\u200bOP',
    '\ufeffBAJA',
    'CAN\u00adCEL',
    'SA\u2060IR',
    'STOP\u3164',
    'STOP\ufe0f',
    '\u2068END\u2069',
  ],
];
const others = [
  ...[
    'please cancel my appointment',
    'please do not stop',
    'When does it end?',
    'Can I opt out of the interview?',
  ],
  ...[
    'no quiero cancelar mi cita',
    'Cancelar a entrevista?',
    'quiero darme de baja del seguro',
    'no pare',
    'stopped',
  ],
  ...[
    'END 12/31',
    'cancel 2',
    'stop4',
    'thanks',
    'thank you',
    'por favor',
    'yes please',
    'por favor no pare mi caso',
    'obrigado',
    'HELP',
    'AYUDA',
    'no',
    '',
    ' ',
    '\u200b',
    '👍',
    '...',
  ],
];

describe("a person's message", () => {
  it.each(stops)('%j asks for an end', (text) => {
    expect(readStopWord(text)).toBe('stop');
  });

  it.each(['START', 'start.', 'Unstop', 'YES', ' Alta', 'VOLTAR!', 'S\u200bTART'])(
    '%j asks for messages again',
    (text) => {
      expect(readStopWord(text)).toBe('start');
    },
  );

  it.each(others)('%j asks for neither', (text) => {
    expect(readStopWord(text)).toBeNull();
  });

  const bodies = Object.entries(whatsappTemplates).flatMap(([key, { body }]) =>
    Object.entries(body).map(([language, text]) => [key, language, text] as const),
  );
  it.each(bodies)('can be the word that the template %s names in %s', (_key, _language, text) => {
    const word = /(?:Reply|Responda|reply|responda) (\p{Lu}+)\b/u.exec(text)?.[1] ?? '';
    expect([word, readStopWord(word)]).toEqual([expect.stringMatching(/^(STOP|BAJA|SAIR)$/), 'stop']);
  });
});
