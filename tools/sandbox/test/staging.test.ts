import { expect, it } from '@jest/globals';
import { stagingCases } from '../src/uscis/staging-cases.ts';

it('serves fifty staging receipts of seven forms, half of them with a history', () => {
  const cases = [...stagingCases().values()];
  expect(cases).toHaveLength(50);
  expect(cases.filter(({ history }) => history)).toHaveLength(25);
  expect(new Set(cases.map(({ form_type }) => form_type)).size).toBe(7);
  expect(new Set(cases.map(({ text_en }) => text_en)).size).toBeGreaterThan(8);
  expect(cases.filter(({ broken }) => broken)).toHaveLength(2);
});
