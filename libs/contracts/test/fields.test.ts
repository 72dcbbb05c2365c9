import { describe, expect, it } from '@jest/globals';
import type { z } from 'zod';
import { operations } from '../src/operations.ts';

/** Fields whose handlers judge the whole text: nothing of it is shown. */
const judgedElsewhere = ['token', 'refresh_token', 'url', 'MessageSid', 'MessageStatus'];

/** Every field of a request's body that is a line of free text: it takes an ordinary name. */
const freeText = Object.entries(operations).flatMap(([operation, row]) =>
  'body' in row
    ? Object.entries(row.body.shape as Record<string, z.ZodType>)
        .filter(([field]) => !judgedElsewhere.includes(field))
        .filter(([, field]) => field.safeParse('José Ñandú').success)
        .map(([field, schema]) => [`${operation}.${field}`, schema] as const)
    : [],
);

/** Characters that are not seen: they turn the direction of text, hide in it, or break the line. */
const invisible = [
  0x061c, 0x200b, 0x200e, 0x200f, 0x2028, 0x2029, 0x202a, 0x202b, 0x202c, 0x202d, 0x202e, 0x2060, 0x2066,
  0x2067, 0x2068, 0x2069, 0xfeff,
].map((code) => String.fromCodePoint(code));

describe('a line of free text', () => {
  it('is found in every operation that takes one', () => {
    const names = freeText.map(([name]) => name);
    expect(names).toEqual(
      expect.arrayContaining([
        'create_partner_user.name',
        'update_user.name',
        'create_key.name',
        'create_webhook.description',
        'update_webhook.description',
        'create_partner_case.description',
        'update_case.description',
      ]),
    );
  });

  it.each(freeText)('%s refuses characters that are not seen, and says so', (_name, schema) => {
    for (const character of invisible) {
      const { error } = schema.safeParse(`Ana${character}Silva`);
      expect([character.codePointAt(0)?.toString(16), error?.issues.map(({ message }) => message)]).toEqual([
        character.codePointAt(0)?.toString(16),
        ['must not contain invisible formatting characters, such as marks that turn the direction of text'],
      ]);
    }
  });

  it.each(freeText)('%s takes names of every script, with the joiners that some need', (_name, schema) => {
    for (const text of ['مریم خانعلی\u200cزاده', 'ක්\u200dරිස්තීන්', 'יעל כהן', '李小龍', '👩\u200d⚖️ Ana']) {
      expect(schema.safeParse(text).success).toBe(true);
    }
  });
});
