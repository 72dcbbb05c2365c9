import { describe, expect, it } from '@jest/globals';
import { readAnswer } from '../../src/clients/read-answer.ts';

const json = (status: number, body: unknown) => ({
  status,
  contentType: 'application/json',
  body: typeof body === 'string' ? body : JSON.stringify(body),
});

const receipt = 'EAC1000000001';

describe('readAnswer', () => {
  const message = 'We do not know this receipt number.';
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
    expect(readAnswer(json(404, envelope), receipt)).toEqual({ outcome: 'not_found', message });
    expect(readAnswer(json(422, envelope), receipt)).toEqual({ outcome: 'rejected', message });
  });

  it('takes no page and no half answer for an answer about the case', () => {
    for (const status of [404, 422]) {
      for (const body of ['<html>Not Found</html>', '{"code":404,"mess', '', '[]'])
        expect(readAnswer(json(status, body), receipt)).toEqual({
          outcome: 'failed',
          reason: `status ${status}`,
        });
    }
  });

  it.each([
    {
      fault: {
        faultstring: 'Unable to identify proxy',
        detail: { errorcode: 'messaging.adaptors.http.flow.ApplicationNotFound' },
      },
    },
    { message: 'Not Found' },
    { message: 'Missing Authentication Token' },
    {
      error: 'Not Found',
      status: 404,
      path: `/case-status/${receipt}`,
      timestamp: '2026-11-21T10:00:00.000Z',
    },
    { code: 404, message: 'No route matches.' },
  ])('takes the 404 of a gateway or a framework for a failure: %j', (body) => {
    expect(readAnswer(json(404, body), receipt)).toEqual({ outcome: 'failed', reason: 'status 404' });
  });

  it('takes an answer about another receipt for a failure', () => {
    const answerAbout = (receiptNumber: unknown) =>
      json(200, {
        case_status: {
          receiptNumber,
          current_case_status_text_en: 'Case Was Denied',
          current_case_status_desc_en: 'We denied your case.',
        },
      });
    expect(readAnswer(answerAbout('EAC1000000002'), receipt)).toEqual({
      outcome: 'failed',
      reason: 'another receipt',
    });
    expect(readAnswer(answerAbout(undefined), receipt).outcome).toBe('unreadable');
    expect(readAnswer(answerAbout(' eac1000000001'), receipt).outcome).toBe('seen');
    const broken = answerAbout('EAC1000000002').body.replace('Case Was Denied', 'Case "Was" Denied');
    expect(readAnswer(json(200, broken), receipt)).toEqual({ outcome: 'failed', reason: 'another receipt' });
  });

  it('tells the spike arrest from the quota', () => {
    const spike = { code: 429, message: 'Spike Arrest Violation' };
    const quota = {
      fault: { faultstring: 'Exceeded', detail: { errorcode: 'policies.ratelimit.QuotaViolation' } },
    };
    expect(readAnswer(json(429, spike), receipt)).toMatchObject({ outcome: 'rate_limited', kind: 'spike' });
    expect(readAnswer(json(429, ''), receipt)).toMatchObject({ outcome: 'rate_limited', kind: 'spike' });
    expect(readAnswer(json(429, quota), receipt)).toMatchObject({ outcome: 'rate_limited', kind: 'quota' });
  });

  it.each([
    [401, 'unauthorised'],
    [429, 'rate_limited'],
    [503, 'closed'],
  ])('keeps the sentence of a %i, without the receipt number', (status, outcome) => {
    const said = readAnswer(
      json(status, { error: { code: '1', message: `No. ${receipt} waits.` } }),
      receipt,
    );
    expect(said).toMatchObject({ outcome, message: 'No. EAC…0001 waits.' });
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
    expect(readAnswer(json(status, body), receipt).outcome).toBe(outcome);
  });

  it('salvages broken JSON as if it were whole', () => {
    const link = 'See <a href=\\"https://x.test/a?b=1\\">here</a>.\\nBye';
    const whole = `{"case_status":{"receiptNumber":"${receipt}","formType":"I-130","current_case_status_text_en":"Case Was Received","current_case_status_desc_en":"${link}","hist_case_status":[{"date":"2026-01-01","completed_text_en":"A"}]},"message":"Query {'r': 'EAC1'}"}`;
    const expected = readAnswer(json(200, whole), receipt);
    expect(expected.outcome).toBe('seen');
    const salvaged = readAnswer(json(200, whole.replaceAll('\\"', '"').replaceAll('\\n', ' ')), receipt);
    expect(JSON.stringify(salvaged)).toBe(JSON.stringify(expected).replace('\\n', ' '));
  });
});
