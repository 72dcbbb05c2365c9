import { asSecret, summaryOf } from '@casewatch/platform';
import { expect, it } from '@jest/globals';
import { z } from 'zod';

it('the summary of settings names secrets, contacts and long values, and shows all others', () => {
  const text = z.string().describe('a text');
  const schema = z.object({
    PORT: z.number().describe('a number'),
    NETWORKS: z.array(z.string()).describe('a list'),
    PASSWORD: asSecret(z.string()).describe('a secret'),
    MAIL_FROM: text,
    TWILIO_FROM: text,
    CERTIFICATE: text,
    NOT_SET: text.optional(),
  });
  const config = {
    PORT: 8080,
    NETWORKS: ['192.0.2.0/24'],
    PASSWORD: 'hunter2',
    MAIL_FROM: 'Casewatch <office@casewatch.example>',
    TWILIO_FROM: 'whatsapp:+12025550123',
    CERTIFICATE: 'x'.repeat(500),
    NOT_SET: undefined,
  };
  expect(summaryOf(schema, config)).toEqual({
    PORT: 8080,
    NETWORKS: ['192.0.2.0/24'],
    PASSWORD: '[set]',
    MAIL_FROM: '[set]',
    TWILIO_FROM: '[set]',
    CERTIFICATE: '[set]',
  });
});
