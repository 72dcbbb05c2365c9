import { describe, expect, it } from '@jest/globals';
import type { z } from 'zod';
import { caseRef, email, matterReference, timeZone } from '../src/fields.ts';
import { exactSchemas } from '../src/openapi/exact-schemas.ts';
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
  0x2067, 0x2068, 0x2069, 0xfeff, 0x00ad, 0x0600, 0x180e, 0x2061, 0x2064, 0x206a, 0x206f, 0xfff9, 0xe0001,
  0xe0041, 0x1d173,
].map((code) => String.fromCodePoint(code));

/** Texts that look empty: joiners, Hangul fillers, a Braille cell without dots, marks without a letter. */
const unseen = [
  '\u200c',
  '\u200d\u200d',
  '\u3164',
  '\u115f\u1160',
  '\uffa0',
  '\u2800',
  '\u034f',
  '\ufe0f',
  '\u0301',
];

describe('a time zone', () => {
  it.each([
    'America/Chicago',
    'America/Indiana/Indianapolis',
    'America/Kentucky/Louisville',
    'America/Argentina/Buenos_Aires',
    'America/Port-au-Prince',
    'Asia/Kolkata',
    'Asia/Calcutta',
    'Asia/Ho_Chi_Minh',
    'Europe/Kyiv',
    'US/Eastern',
    'Etc/UTC',
    'UTC',
  ])('may have any name of the IANA database: %s', (name) => {
    expect(timeZone.safeParse(name).success).toBe(true);
  });

  it.each([
    '+05:30',
    '-05:00',
    'america/chicago',
    'America/Nowhere',
    'America/',
    '/UTC',
    'Chicago',
    '',
    ' UTC',
  ])('is refused as %j', (name) => {
    expect(timeZone.safeParse(name).success).toBe(false);
  });
});

it('the reference of a matter has one spelling, whatever the keyboard sent', () => {
  const composed = 'é'.repeat(64);
  expect(matterReference.parse(composed.normalize('NFD'))).toBe(composed);
});

it.each(['x', '0', 'FLOW1', '9007199254740993'])('a wrong reference of a case is said once: %s', (text) => {
  expect(caseRef.safeParse(text).error?.issues.map(({ message }) => message)).toEqual([
    'must be a case id or a FLOW reference',
  ]);
});

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

  it.each(freeText)('%s needs a character that is seen', (_name, schema) => {
    for (const text of unseen) {
      const { error } = schema.safeParse(text);
      expect([text, error?.issues.map(({ message }) => message)]).toEqual([
        text,
        ['must contain a visible character'],
      ]);
      expect(schema.safeParse(`${text}a`).success).toBe(true);
    }
  });

  it.each(freeText)('%s takes names of every script, with the joiners that some need', (_name, schema) => {
    for (const text of [
      'مریم خانعلی\u200cزاده',
      'ක්\u200dරිස්තීන්',
      'יעל כהן',
      '李小龍',
      '👩\u200d⚖️ Ana',
      '김민준',
      '❤️',
      '?',
    ]) {
      expect(schema.safeParse(text).success).toBe(true);
    }
  });
});

describe('an e-mail address', () => {
  const pattern = new RegExp(exactSchemas.get(email)?.pattern ?? '');
  const long = 'a'.repeat(63);
  it.each([
    'maria@example.com',
    "o'brien&sons@example.com",
    "!#$%&'*+/=?^_`{|}~-@example.com",
    'a+b.c-d@sub.example.co.uk',
    "ana'@example.com",
    '$where@example.com',
    'maria@xn--80a1acny.xn--p1ai',
    'maria@example.XN--P1AI',
    'maria@example.xn--vermgensberatung-pwb',
    'maria@a.xn--fiqs8s',
    `${'a'.repeat(64)}@example.com`,
    `a@${[long, long, long].join('.')}.${'a'.repeat(53)}.museum`,
    ' maria@example.com ',
  ])('is taken: %s', (text) => {
    expect(email.safeParse(text)).toEqual({ success: true, data: text.trim() });
    expect(pattern.test(text.trim())).toBe(true);
  });

  it.each([
    '',
    'maria',
    '@example.com',
    'maria@',
    'maria@example',
    'maria@example.1a',
    'maria@example.xn--',
    'maria@example.xn--a-',
    'maria@example.c',
    'maria@-example.com',
    'maria@exa_mple.com',
    'maria@[192.0.2.1]',
    'maria@192.0.2.1',
    '.maria@example.com',
    'maria.@example.com',
    'ma..ria@example.com',
    'ma ria@example.com',
    '"maria"@example.com',
    'maria@example.com, eve@example.com',
    'maria@example.com>',
    '<maria@example.com',
    'ma(r)ia@example.com',
    'ma,ria@example.com',
    'ma;ria@example.com',
    'ma:ria@example.com',
    'ma\\ria@example.com',
    'maria@exa@mple.com',
    'maria@example.com\r\nBcc: eve@example.com',
    'maría@example.com',
    'maria@почта.рф',
    `${'a'.repeat(65)}@example.com`,
  ])('is refused: %j', (text) => {
    expect(email.safeParse(text).success).toBe(false);
    expect(pattern.test(text)).toBe(false);
  });

  it('has at most 254 characters', () => {
    const address = `a@${[long, long, long].join('.')}.${'a'.repeat(54)}.museum`;
    expect([address.length, email.safeParse(address).success]).toEqual([255, false]);
  });
});
