import { knownStatuses, language, statusWords } from '@casewatch/contracts';
import { describe, expect, it } from '@jest/globals';
import { factsOf, type NotificationFacts } from '../../src/domain/notification-facts.ts';
import { renderDigestMail } from '../../src/templates/digest-mail.ts';
import { renderStatusMail } from '../../src/templates/status-mail.ts';
import { updateTexts } from '../../src/templates/update-texts.ts';
import { anUpdate } from '../support/fixtures.ts';
import { direct, factsInEnglishOnly, now, partnered, visibleText } from '../support/mail-samples.ts';

const asked = {
  status_description: 'On November 20, 2026, we wrote to you. These are words of the government.',
  modified_date: '2026-11-20T08:00:00.000Z',
};
const official = 'These are words of the government.';
const entry = {
  date: '2026-11-19',
  status_code: 'We added this line to the history.',
  status_code_es: null,
  status_code_pt: null,
};
type Name = (typeof language.options)[number];

/** Every way in which a person reads these facts. */
function readings(facts: NotificationFacts, name: Name): string[] {
  const item = { ...partnered, facts };
  const mails = [
    renderStatusMail({ ...direct, language: name, facts }),
    renderStatusMail({ ...partnered, language: name, facts }),
    renderDigestMail({ ...partnered, language: name, items: [item] }),
  ];
  return mails.flatMap((mail) => [mail.text.replace(/\s+/g, ' '), unescaped(visibleText(mail))]);
}

function unescaped(text: string): string {
  return text.replaceAll('&quot;', '"').replaceAll('&#39;', "'").replaceAll('&amp;', '&');
}

/** Each part once, one after the other. */
function expectInOrder(text: string, parts: readonly string[]): void {
  expect(parts.map((part) => [part, text.split(part).length - 1])).toEqual(parts.map((part) => [part, 1]));
  const places = parts.map((part) => text.indexOf(part));
  expect(places).toEqual(places.toSorted((a, b) => a - b));
}

describe.each(language.options)('in a mail in %s', (name) => {
  const texts = updateTexts[name];

  it('by when, and then what to do, stands before what it means, and the words of USCIS come last, for each status', () => {
    for (const { en } of knownStatuses()) {
      const facts = factsInEnglishOnly(en, asked);
      const { meaning, action } = statusWords(en, name);
      for (const text of readings(facts, name)) {
        // A day that nobody misses for the length of the action: ours is an estimate, and says so beside it.
        const deadline = facts.answer_by
          ? [texts.deadline, ...texts.estimate.map((part) => part.trim())]
          : [];
        const toDo = action === null ? [] : [texts.toDo, ...deadline, action];
        const known = [texts.changed, ...toDo, texts.meaning, meaning];
        expectInOrder(text, [...known, official]);
        if (action === null) expect(text).not.toContain(texts.toDo);
      }
    }
  });

  it.each([
    ['a grave title that we do not know', 'Case Approval Was Revoked', true],
    ['any title that we do not know', 'Zzz', false],
  ])('the same holds for %s', (_what, title, isGrave) => {
    const { meaning, action } = statusWords(title, name);
    expect(action !== null).toBe(isGrave);
    for (const text of readings(factsInEnglishOnly(title, asked), name))
      expectInOrder(text, [texts.changed, ...(action ? [action] : []), meaning, texts.official, official]);
  });

  it('new lines of the history are words of USCIS, too: they stand below ours, which tell of them', () => {
    const status_code = 'Request for Initial Evidence Was Sent';
    const event = anUpdate(12, 12, { ...asked, kind: 'details', changes: ['history'], status_code });
    const facts = factsOf({ ...event, new_history: [entry] }, now);
    const { meaning, action } = statusWords(status_code, name);
    for (const text of readings(facts, name))
      expectInOrder(text, [
        ...[texts.changed, texts.historyChanged, texts.deadline, action ?? '', meaning],
        ...[official, texts.newHistory, entry.status_code],
      ]);
  });
});

describe.each(['es', 'pt'] as const)('in a mail in %s', (name) => {
  it('no sentence in English stands above what to do and what it means', () => {
    for (const { en } of knownStatuses()) {
      const facts = factsInEnglishOnly(en, asked);
      const { text } = renderStatusMail({ ...direct, language: name, facts });
      const ours = text.slice(0, text.indexOf(`${updateTexts[name].official}:`));
      expect(ours).toContain(statusWords(en, name).meaning);
      expect(ours).not.toMatch(/words of the government|\b(?:was|your|the)\b/);
    }
  });

  it('the note beside English words points up to our explanation', () => {
    const facts = factsInEnglishOnly('Case Was Approved', asked);
    for (const text of readings(facts, name)) {
      expect(text).toContain({ es: 'está más arriba.', pt: 'está mais acima.' }[name]);
      expect(text).not.toMatch(/está m[aá]is? (?:abajo|abaixo)/);
    }
  });
});
