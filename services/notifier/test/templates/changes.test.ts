import { type ChangedPart, language, type StatusUpdated } from '@casewatch/contracts';
import { describe, expect, it } from '@jest/globals';
import { factsOf, type NotificationFacts } from '../../src/domain/notification-facts.ts';
import { renderDigestMail } from '../../src/templates/digest-mail.ts';
import { renderStatusMail } from '../../src/templates/status-mail.ts';
import { changeInOneLine } from '../../src/templates/update-content.ts';
import { updateTexts } from '../../src/templates/update-texts.ts';
import { anUpdate } from '../support/fixtures.ts';
import { direct, now, visibleText } from '../support/mail-samples.ts';

const title = 'Case Was Received';
const entry = {
  date: '2023-09-05',
  status_code: 'We approved your Form I-130, Receipt Number EAC9999106789.',
  status_code_es: 'Aprobamos su Formulario I-130, número EAC9999106789.',
  status_code_pt: null,
};
const older = {
  date: '2023-08-01',
  status_code: title,
  status_code_es: null,
  status_code_pt: 'Caso recebido',
};

/** An update that changed these parts, under the same title unless it is one of them. */
function factsWith(
  changes: ChangedPart[],
  new_history: StatusUpdated['new_history'] = [],
): NotificationFacts {
  const kind = changes.includes('title') ? 'status' : 'details';
  const event = anUpdate(12, 12, {
    kind,
    changes,
    status_code: title,
    status_code_es: null,
    status_code_pt: null,
  });
  const previous_status_code = changes.includes('title') ? 'Case Was Approved' : title;
  return factsOf({ ...event, previous_status_code, new_history }, now);
}

/** The section with this heading. */
function section(facts: NotificationFacts, name: 'en' | 'es' | 'pt', heading: string): string {
  const { text } = renderStatusMail({ ...direct, language: name, facts });
  return text.split(`\n${heading}:\n`)[1]?.split('\n\n')[0] ?? '';
}

const changed = (facts: NotificationFacts, name: 'en' | 'es' | 'pt') =>
  section(facts, name, { en: 'What changed', es: 'Qué cambió', pt: 'O que mudou' }[name]);

/** The entries that the history got. */
const added = (facts: NotificationFacts, name: 'en' | 'es' | 'pt') =>
  section(facts, name, updateTexts[name].newHistory);

describe('a mail about a history with a new entry', () => {
  it('has its day and its text, without a complete receipt number, and claims no other text', () => {
    const facts = factsWith(['history'], [entry]);
    expect(changed(facts, 'en')).toBe(
      [
        `Now: ${title}`,
        'The title and the text of the status are the same as before. There is something new in the history of the case at USCIS; see below.',
      ].join('\n'),
    );
    expect(added(facts, 'en')).toBe(
      '- September 5, 2023: We approved your Form I-130, Receipt Number …6789.',
    );
  });

  it('has the Spanish that USCIS gave; where there is none, it says that the words are English', () => {
    expect(added(factsWith(['history'], [entry]), 'es')).toBe(
      '- 5 de septiembre de 2023: Aprobamos su Formulario I-130, número …6789.',
    );
    const facts = factsWith(['history'], [{ ...entry, status_code_es: null }]);
    expect(added(facts, 'es')).toContain('We approved your Form I-130, Receipt Number …6789. (en inglés)');
    const { html } = renderStatusMail({ ...direct, language: 'pt', facts });
    expect(html).toContain(
      '<span lang="en">We approved your Form I-130, Receipt Number …6789.</span> (em inglês)',
    );
  });

  it('has the newest first, and says how many are left out', () => {
    const many = Array.from({ length: 7 }, (_, i) => ({ ...older, date: `2023-08-0${i + 1}` }));
    expect(added(factsWith(['history'], many), 'pt').split('\n')).toEqual([
      ...[7, 6, 5, 4, 3].map((day) => `- ${day} de agosto de 2023: Caso recebido`),
      'e mais 2',
    ]);
  });

  it.each(['', 'September 2023', '2023-19-45'])(
    'does not fail for a date in another notation: %j',
    (date) => {
      expect(added(factsWith(['history'], [{ ...entry, date }]), 'en')).toContain(
        `- ${date && `${date}: `}We approved your Form I-130`,
      );
    },
  );

  it('cannot be turned into something else by its text', () => {
    const status_code = '<script>alert(1)</script>\r\n- x\u202e';
    const facts = factsWith(['history'], [{ ...entry, status_code }]);
    const mail = renderStatusMail({ ...direct, language: 'en', facts });
    expect(mail.html).not.toContain('<script');
    expect(mail.text).toContain('- September 5, 2023: <script>alert(1)</script> - x\n');
  });
});

const sentences = {
  en: {
    same: 'The title of the status is the same',
    both: 'The title and the text of the status are the same',
    text: 'The USCIS text changed.',
    date: 'another date on which it received',
    history: 'something new in the history',
  },
  es: {
    same: 'El título del estado del caso es el mismo',
    both: 'El título y el texto del estado del caso son los mismos',
    text: 'Lo que cambió es el texto oficial de USCIS.',
    date: 'otra fecha de recepción',
    history: 'algo nuevo en el historial',
  },
  pt: {
    same: 'O título do status é o mesmo',
    both: 'O título e o texto do status são os mesmos',
    text: 'O que mudou é o texto do USCIS.',
    date: 'outra data de recebimento',
    history: 'algo novo no histórico',
  },
};

describe.each(language.options)('what changed, in %s', (name) => {
  const words = sentences[name];
  it.each([
    [['text'], ['same', 'text']],
    [['history'], ['both', 'history']],
    [['date'], ['same', 'date']],
    [
      ['text', 'history'],
      ['same', 'text', 'history'],
    ],
    [
      ['text', 'date'],
      ['same', 'text', 'date'],
    ],
    [
      ['history', 'date'],
      ['both', 'history', 'date'],
    ],
    [
      ['text', 'history', 'date'],
      ['same', 'text', 'history', 'date'],
    ],
    [['title', 'text'], []],
    [['title', 'text', 'history'], ['history']],
    [
      ['title', 'text', 'history', 'date'],
      ['history', 'date'],
    ],
    // An update of which nothing is known.
    [[], ['same']],
  ] as [ChangedPart[], (keyof typeof words)[]][])('%j: says %j and nothing else', (changes, said) => {
    const facts = factsWith(changes, changes.includes('history') ? [entry] : []);
    const text = changed(facts, name);
    expect(
      Object.entries(words)
        .filter(([, sentence]) => text.includes(sentence))
        .map(([key]) => key)
        .toSorted(),
    ).toEqual(said.toSorted());
    const { html } = renderStatusMail({ ...direct, language: name, facts });
    for (const key of said) expect(html).toContain(words[key]);
  });

  it('is in no preview of a lock screen', () => {
    const facts = factsWith(['history'], [entry]);
    const item = { ...direct, facts };
    const mails = [
      renderStatusMail({ ...direct, language: name, facts }),
      renderDigestMail({ ...direct, language: name, items: [item, item] }),
    ];
    for (const mail of mails)
      for (const preview of [mail.subject, mail.text.slice(0, 140), visibleText(mail).slice(0, 140)])
        expect(preview).not.toMatch(/I-130|2023/);
  });

  it('stands in one line of a WhatsApp message', () => {
    const line = (changes: ChangedPart[], entries: StatusUpdated['new_history'] = []) =>
      changeInOneLine(factsWith(changes, entries), name);
    const shown = { en: title, es: title, pt: title }[name];
    expect(line(['title', 'text'], [entry])).toBe(shown);
    expect(line(['text'])).toBe(
      {
        en: `${shown} (same title as before, new text)`,
        es: `${shown} (mismo título que antes, texto nuevo)`,
        pt: `${shown} (mesmo título de antes, texto novo)`,
      }[name],
    );
    expect(line(['history'], [older, entry])).toBe(
      {
        en: 'new in the case history, September 5, 2023: We approved your Form I-130, Receipt Number …6789',
        es: 'nuevo en el historial del caso, 5 de septiembre de 2023: Aprobamos su Formulario I-130, número …6789',
        pt: 'novo no histórico do caso, 5 de setembro de 2023: We approved your Form I-130, Receipt Number …6789',
      }[name],
    );
  });
});

describe('a digest', () => {
  it('with 50 long histories stays below the 102 KB at which Gmail cuts a mail', () => {
    const long = { ...entry, status_code: 'We sent a request for evidence for your case. '.repeat(12) };
    const item = {
      ...direct,
      link: 'https://santos.example/cases/FLOW0000012',
      facts: factsWith(['history'], [long, long, long]),
    };
    for (const name of language.options) {
      const { html } = renderDigestMail({
        ...direct,
        language: name,
        items: Array.from({ length: 50 }, () => item),
      });
      expect(Buffer.byteLength(html)).toBeLessThan(102_000);
    }
  });
});
