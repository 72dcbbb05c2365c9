import { describe, expect, it } from '@jest/globals';
import { readAnswer } from '../../src/clients/read-answer.ts';

const json = (status: number, body: unknown) => ({
  status,
  contentType: 'application/json',
  body: typeof body === 'string' ? body : JSON.stringify(body),
});

describe('readAnswer', () => {
  const message = 'It is so.';
  const envelopes = [
    { code: 404, message },
    { code: '404', message },
    {
      errors: [
        { code: '404', message },
        { code: '1', message: 'more' },
      ],
    },
    { error: { code: '404', message } },
    { error: message },
    { fault: { faultstring: message, detail: { errorcode: 'x.y' } } },
    { message },
  ];

  it.each(envelopes)('keeps the government’s sentence of %j', (envelope) => {
    expect(readAnswer(json(404, envelope))).toEqual({ outcome: 'not_found', message });
    expect(readAnswer(json(422, envelope))).toEqual({ outcome: 'rejected', message });
  });

  it('takes no page and no half answer for an answer about the case', () => {
    for (const status of [404, 422]) {
      for (const body of ['<html>Not Found</html>', '{"code":404,"mess', '', '[]'])
        expect(readAnswer(json(status, body))).toEqual({ outcome: 'failed', reason: `status ${status}` });
    }
  });

  it('tells the spike arrest from the quota', () => {
    const spike = { code: 429, message: 'Spike Arrest Violation' };
    const quota = {
      fault: { faultstring: 'Exceeded', detail: { errorcode: 'policies.ratelimit.QuotaViolation' } },
    };
    expect(readAnswer(json(429, spike))).toEqual({ outcome: 'rate_limited', kind: 'spike' });
    expect(readAnswer(json(429, ''))).toEqual({ outcome: 'rate_limited', kind: 'spike' });
    expect(readAnswer(json(429, quota))).toEqual({ outcome: 'rate_limited', kind: 'quota' });
  });

  it.each([
    [401, '{}', 'unauthorised'],
    [503, '\n {"error":{"code":"503","message":"closed"}}', 'closed'],
    [500, '{}', 'failed'],
    [302, '', 'failed'],
    [200, '<!doctype html>', 'failed'],
    [200, ' ', 'failed'],
    [200, '{"message":"ok"}', 'unreadable'],
    [200, '{"case_status":{"current_case_status_text_en":7}}', 'unreadable'],
    [200, '{"case_status":{"current_case_status_text_en":"Case Was Rec', 'unreadable'],
  ])('reads %i %s as %s', (status, body, outcome) => {
    expect(readAnswer(json(status, body)).outcome).toBe(outcome);
  });

  it('salvages broken JSON as if it were whole', () => {
    const link = 'See <a href=\\"https://x.test/a?b=1\\">here</a>.\\nBye';
    const whole = `{"case_status":{"receiptNumber":"EAC1","formType":"I-130","current_case_status_text_en":"Case Was Received","current_case_status_desc_en":"${link}","hist_case_status":[{"date":"2026-01-01","completed_text_en":"A"}]},"message":"Query {'r': 'EAC1'}"}`;
    const expected = readAnswer(json(200, whole));
    expect(expected.outcome).toBe('seen');
    const salvaged = readAnswer(json(200, whole.replaceAll('\\"', '"').replaceAll('\\n', ' ')));
    expect(JSON.stringify(salvaged)).toBe(JSON.stringify(expected).replace('\\n', ' '));
  });
});
