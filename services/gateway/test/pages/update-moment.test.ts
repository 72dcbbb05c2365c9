import { detailMessage, htmlLanguage, language, statusWords } from '@casewatch/contracts';
import { describe, expect, it } from '@jest/globals';
import { updateMoment } from '../../src/pages/console/case.ts';
import { createTimes } from '../../src/pages/parts/time.ts';

const now = new Date('2026-11-21T12:00:00.000Z');
const times = createTimes({ now, zone: 'UTC', language: 'en' });
const entry = { date: '2026-11-20', status_code: 'We added a line.', status_code_es: null };
const channels = {
  email_notify_status: 'sent' as const,
  email_notify_attempts: 1,
  email_notify_last_error: null,
  email_notify_sent_at: null,
  whatsapp_notify_status: 'skipped' as const,
  whatsapp_notify_attempts: 0,
  whatsapp_notify_last_error: null,
  whatsapp_notify_sent_at: null,
  notified: 1 as const,
};

function updateOf(status_code: string) {
  return {
    id: 2,
    kind: 'details' as const,
    changes: ['history' as const],
    spanish_source: null,
    touched_at: null,
    status_code,
    status_description: 'On November 20, 2026, we wrote to you.',
    form_type: null,
    status_code_es: null,
    status_description_es: null,
    status_code_pt: null,
    status_description_pt: null,
    status_slug: 'x',
    category: 'x',
    submitted_date: null,
    modified_date: null,
    history: [{ ...entry, status_code_pt: null }],
    timestamp: now.toISOString(),
    respond_by: null,
    ...channels,
  };
}

describe.each(language.options)(
  'a status in the timeline of the console, for a user who reads %s',
  (name) => {
    it.each([
      'Request for Initial Evidence Was Sent',
      'Case Rejected For A Missing Page',
      'Case Was Received',
      'Zzz',
    ])('has what to do before what it means, and the words of USCIS last: %s', (title) => {
      const row = updateOf(title);
      const update = { ...row, detail_message: detailMessage(row, name, now) };
      const older = [{ ...update, id: 1, history: [] }];
      const content = updateMoment(times, update, {
        older,
        language: name,
        deliveries: [],
      });
      const { meaning, action } = statusWords(title, name);
      const toDo = action === null ? [] : ['What to do, as the user reads it', action];
      const parts = [...toDo, meaning, 'What USCIS says', row.status_description, 'We added a line.'];
      const places = parts.map((part) => content.html.indexOf(part));
      expect(places).not.toContain(-1);
      expect(places).toEqual(places.toSorted((a, b) => a - b));
      expect(content.html.includes('What to do')).toBe(action !== null);
    });

    it.each([
      'Request for Initial Evidence Was Sent',
      'Case Was Received',
      'Premium Processing Fee Will Be Refunded',
      'Zzz',
    ])('says in the language of the member, too, what it means: %s', (title) => {
      const row = updateOf(title);
      const update = { ...row, detail_message: detailMessage(row, name, now) };
      for (const readIn of language.options) {
        const { html } = updateMoment(times, update, { older: [], language: name, readIn, deliveries: [] });
        const { meaning, action } = statusWords(title, readIn);
        const own = `<h4 class="small quiet">In your language</h4>\n<p lang="${htmlLanguage[readIn]}">${action === null ? '' : `${action} `}${meaning}</p>`;
        expect(html.includes(own)).toBe(readIn !== name);
        expect(html.includes('In your language')).toBe(readIn !== name);
      }
    });
  },
);
