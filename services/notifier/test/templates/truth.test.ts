import { knownStatuses, matchStatus } from '@casewatch/contracts';
import { describe, expect, it } from '@jest/globals';
import { factsOf } from '../../src/domain/notification-facts.ts';
import { renderStatusMail } from '../../src/templates/status-mail.ts';
import { anUpdate } from '../support/fixtures.ts';
import { direct, factsInEnglishOnly, now } from '../support/mail-samples.ts';

const denied = { status_description: 'On May 4, 2026, we denied your Form I-485.' };
const ofUscis = {
  status_code_es: 'Caso Fue Denegado',
  status_description_es: 'El 4 de mayo de 2026 denegamos su I-485.',
};

describe('the block of the words of USCIS', () => {
  it('never has a sentence of our table, in a mail about any status', () => {
    for (const { en } of knownStatuses()) {
      const facts = factsInEnglishOnly(en, denied);
      const { text } = renderStatusMail({ ...direct, language: 'es', facts });
      const official = text.split('Lo que dice USCIS:')[1]?.split('\n\n-- ')[0] ?? '';
      const [note, title, ...words] = official.trim().split('\n');
      expect(note).toMatch(/^Estas son las palabras oficiales de USCIS, en inglés\./);
      expect([title, words.join('\n')]).toEqual([en, denied.status_description]);
      expect(text.split('Qué significa:')[1]?.split('Lo que dice USCIS:')[0]).toContain(
        matchStatus(en).knownStatus?.meaning.es,
      );
    }
  });

  it.each([
    ['es', 'Estas son las palabras oficiales de USCIS, en inglés.'],
    ['pt', 'Estas são as palavras oficiais do USCIS, em inglês.'],
  ] as const)('says in a mail in %s that its words are English, and marks them', (language, note) => {
    const facts = factsInEnglishOnly('Case Was Denied', denied);
    const { html } = renderStatusMail({ ...direct, language, facts });
    expect(html).toContain(note);
    expect(html).toMatch(/<td class="quote" lang="en"[^>]*><strong>Case Was Denied<\/strong><br>On May 4/);
  });

  it.each([
    ['es', 'Estas son las palabras oficiales de USCIS, en inglés.', 'Nuestra explicación'],
    ['pt', 'Estas são as palavras oficiais do USCIS, em inglês.', 'A nossa explicação'],
  ] as const)(
    'points in %s to an explanation where there is one, and nowhere else',
    (language, note, pointer) => {
      const known = factsInEnglishOnly('Case Was Denied', denied);
      const mail = renderStatusMail({ ...direct, language, facts: known });
      for (const part of [mail.html, mail.text]) expect(part).toContain(`${note} ${pointer}`);
      for (const title of ['Zzz', 'Approval Of Your Petition Was Revoked']) {
        const facts = factsInEnglishOnly(title, denied);
        for (const part of Object.values(renderStatusMail({ ...direct, language, facts }))) {
          expect(part ?? '').not.toContain(pointer);
        }
      }
      const { text } = renderStatusMail({ ...direct, language, facts: factsInEnglishOnly('Zzz', denied) });
      expect(text).toContain(note);
    },
  );

  it('has the Spanish of USCIS where USCIS served it', () => {
    const event = anUpdate(12, 12, { status_code: 'Case Was Denied', ...denied, ...ofUscis });
    const facts = factsOf({ ...event, spanish_source: 'uscis' }, now);
    const { html } = renderStatusMail({ ...direct, language: 'es', facts });
    expect(html).toContain('<strong>Caso Fue Denegado</strong><br>El 4 de mayo de 2026 denegamos su I-485.');
    expect(html).not.toContain('lang="en"');
    expect(html).not.toContain('palabras oficiales de USCIS, en inglés');
  });

  it('has the English of USCIS where an event or an old row does not say who wrote the Spanish', () => {
    const event = anUpdate(12, 12, { status_code: 'Case Was Denied', ...denied, ...ofUscis });
    const { spanish_source: _, ...old } = factsOf(event, now);
    for (const facts of [factsOf(event, now), old]) {
      const { text } = renderStatusMail({ ...direct, language: 'es', facts });
      expect(text).toContain(denied.status_description);
      expect(text).not.toContain(ofUscis.status_description_es);
    }
  });

  it('has no mark and no note in an English mail', () => {
    const facts = factsInEnglishOnly('Case Was Denied', denied);
    const { html, text } = renderStatusMail({ ...direct, language: 'en', facts });
    expect(html).toContain('<strong>Case Was Denied</strong><br>On May 4');
    expect(html.match(/lang="/g)).toHaveLength(1);
    expect(text).toContain(`What USCIS says:\nCase Was Denied\n${denied.status_description}\n`);
  });
});
