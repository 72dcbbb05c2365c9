import { describe, expect, it } from '@jest/globals';
import { reasonOf } from '../../src/pages/console/states.ts';
import { createTimes, planned } from '../../src/pages/parts/time.ts';

describe('why a message was not sent', () => {
  it.each([
    [null, null],
    ['email_unverified: the e-mail address is not verified', 'The e-mail address is not verified.'],
    ['twilio_63049: the channel refused the template', 'The channel refused the template (twilio_63049).'],
    ['smtp_550: 5.1.1 No such user here: [address].', '5.1.1 No such user here: [address] (smtp_550).'],
    ['unknown', 'unknown.'],
  ])('%s is %s', (lastError, sentence) => {
    expect(reasonOf(lastError)).toBe(sentence);
  });
});

describe('the time of a next attempt', () => {
  const times = createTimes({ now: new Date('2026-11-23T12:00:00Z'), zone: 'UTC', language: 'en' });
  const wordsOf = (text: string | null) => planned(times, text, 'soon').html.replace(/<[^>]+>/g, '');

  it.each([
    ['2026-11-23T12:05:00.000Z', 'in 5 minutes'],
    ['2026-11-23T11:59:30.000Z', 'this minute'],
    ['2026-11-23T11:58:00.000Z', 'due now, planned 2 minutes ago'],
    [null, 'soon'],
  ])('%s is %s', (text, words) => {
    expect(wordsOf(text)).toBe(words);
  });
});
