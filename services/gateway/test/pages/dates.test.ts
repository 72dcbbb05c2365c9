import { language } from '@casewatch/contracts';
import { expect, it } from '@jest/globals';
import { easternZone, momentInWords, sentence } from '../../src/pages/people/dates.ts';
import { caseTexts } from '../../src/pages/people/texts/case-texts.ts';

it.each(language.options)('a sentence about a time ends with one full stop, in %s', (choice) => {
  for (const zone of [easternZone, 'UTC']) {
    const when = momentInWords('2026-11-23T19:35:00.000Z', choice, zone);
    const { html } = sentence(caseTexts[choice].seen(when));
    expect(html.replaceAll(/<[^>]+>/g, '')).toMatch(/[^.]\.$/);
  }
});
