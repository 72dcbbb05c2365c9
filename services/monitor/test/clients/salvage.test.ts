import { expect, it } from '@jest/globals';
import { salvageCaseStatus } from '../../src/clients/salvage.ts';

// The client reads at most 256 KB. Each of these made an expression try every beginning against every end.
it.each([
  ['beginnings of a value', '"formType":"'],
  ['beginnings of a list', '"hist_case_status":['],
  ['quotes and spaces', '"    '],
  ['ends that are none', '" , "'],
])('reads a megabyte of %s in one pass', (_what, unit) => {
  const body = `{"case_status":{${unit.repeat(1_000_000 / unit.length)}}`;
  const before = process.cpuUsage();
  expect(salvageCaseStatus(body)).toBeNull();
  const { user } = process.cpuUsage(before);
  expect(user / 1e6).toBeLessThan(5); // seconds of computing, not of waiting: it takes milliseconds
});

it('takes the value from the first key on, as long as an end follows', () => {
  const body = `{"case_status":{"receiptNumber":"EAC1","current_case_status_text_en":"Case "Was" Received","formType":"I-130"x","submittedDate":"01-02-2026 03:04:05","hist_case_status":[{"date":"2026-01-01"}]},"message":"Query"}`;
  expect(salvageCaseStatus(body)).toEqual({
    receiptNumber: 'EAC1',
    current_case_status_text_en: 'Case "Was" Received',
    formType: 'I-130"x',
    submittedDate: '01-02-2026 03:04:05',
    hist_case_status: [{ date: '2026-01-01' }],
  });
});
