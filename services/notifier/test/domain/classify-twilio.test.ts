import { describe, expect, it } from '@jest/globals';
import { classifyTwilio, type TwilioFailure } from '../../src/domain/classify-twilio.ts';
import type { Outcome } from '../../src/domain/outcome.ts';

type Kind = Outcome['kind'] | 'unprocessed';

const byCode: Record<Exclude<Kind, 'accepted' | 'ambiguous' | 'held'>, number[]> = {
  permanent: [21211, 21604, 21610, 63003, 63005, 63013, 63016, 63021, 63024, 63032, 63049],
  configuration: [
    20003, 20404, 21212, 21603, 21608, 21609, 21619, 21656, 63007, 63008, 63020, 63027, 63028, 63029, 63030,
  ],
  transient: [63012, 63018],
  unprocessed: [20429],
};

const rows: [string, TwilioFailure, Kind, string][] = [
  [
    'an unknown code of the channel',
    { status: 400, code: 63999, message: 'new' },
    'transient',
    'twilio_63999: not accepted',
  ],
  [
    'an unknown refusal that quotes the number',
    { status: 400, code: 21999, message: "The number '+12025550001' is odd" },
    'permanent',
    'twilio_21999: not accepted',
  ],
  ['a refusal without a code', { status: 401, message: 'no' }, 'configuration', 'twilio_401: not accepted'],
  [
    'too many requests without a code',
    { status: 429, message: 'slow' },
    'unprocessed',
    'twilio_429: not accepted',
  ],
  ['a page of HTML with 503', { status: 503, message: 'HTML' }, 'ambiguous', 'twilio_503: not accepted'],
  [
    'a fault of Twilio',
    { status: 500, code: 20500, message: 'oops' },
    'ambiguous',
    'twilio_20500: not accepted',
  ],
  [
    'no answer in time',
    { code: 'ECONNABORTED', message: 'timeout' },
    'ambiguous',
    'twilio_econnaborted: Twilio did not answer',
  ],
  [
    'a reset connection',
    { code: 'ECONNRESET', message: 'reset' },
    'ambiguous',
    'twilio_econnreset: Twilio did not answer',
  ],
  [
    'a refused connection',
    { code: 'ECONNREFUSED', message: 'no' },
    'transient',
    'twilio_econnrefused: Twilio cannot be reached',
  ],
  ['something unheard of', { message: 'what' }, 'ambiguous', 'twilio_error: Twilio did not answer'],
];

function kindOf(outcome: Outcome): Kind {
  return outcome.kind === 'transient' && !outcome.counts ? 'unprocessed' : outcome.kind;
}

describe('the outcome of a failed WhatsApp message', () => {
  const codes = Object.entries(byCode).flatMap(([kind, list]) => list.map((code) => [code, kind] as const));
  it.each(codes)('Twilio says %d: %s, in words that quote nobody', (code, kind) => {
    const outcome = classifyTwilio({ status: 400, code, message: 'about +12025550001' });
    expect(kindOf(outcome)).toBe(kind);
    expect(outcome).toMatchObject({ error: expect.stringMatching(new RegExp(`^twilio_${code}: [^+\\d]+$`)) });
  });

  it.each(rows)('%s', (_what, failure, kind, error) => {
    const outcome = classifyTwilio(failure);
    expect(kindOf(outcome)).toBe(kind);
    expect(outcome).toMatchObject({ error });
    // Twilio's own words stay in the row.
    expect(JSON.stringify(outcome)).not.toContain('+12025550001');
  });
});
