import { asSecret, integerSetting, settingsOf } from '@casewatch/platform';
import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';

const config = z.object({
  PORT: integerSetting(0, 10).describe('Where to listen'),
  KEY: asSecret(z.string()).describe('Signs'),
  LIMIT: integerSetting(1, 9).default(3).describe('How many'),
  ORIGINS: z
    .string()
    .default('')
    .transform((text) => text.split(','))
    .describe('Who'),
  MAP: z.record(z.string(), z.string()).default({ a: 'b' }).describe('Which | or'),
  APP_URL: z.url().optional().describe('Where'),
});

describe('settings for documents', () => {
  it('know what is required, secret, and given without being set', () => {
    expect(settingsOf(config)).toEqual([
      { name: 'PORT', meaning: 'Where to listen', fallback: undefined, isRequired: true, isSecret: false },
      { name: 'KEY', meaning: 'Signs', fallback: undefined, isRequired: true, isSecret: true },
      { name: 'LIMIT', meaning: 'How many', fallback: '3', isRequired: false, isSecret: false },
      { name: 'ORIGINS', meaning: 'Who', fallback: undefined, isRequired: false, isSecret: false },
      { name: 'MAP', meaning: 'Which | or', fallback: '{"a":"b"}', isRequired: false, isSecret: false },
      { name: 'APP_URL', meaning: 'Where', fallback: undefined, isRequired: false, isSecret: false },
    ]);
  });

  it('must all be described', () => {
    expect(() => settingsOf(z.object({ PORT: z.string() }))).toThrow('PORT has no description');
  });
});
