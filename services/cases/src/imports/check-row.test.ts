import { describe, expect, it } from '@jest/globals';
import { checkRow } from './check-row.ts';

const whole = {
  receipt_number: 'EAC9999103401',
  email: 'ana@example.test',
  name: 'Ana',
  uscis_access_acknowledged: 'yes',
};

describe('the reason why a row of an import is refused', () => {
  it.each([
    ['email', 'ana', 'email must be an e-mail address.'],
    ['name', 'a'.repeat(121), 'name must have at most 120 characters.'],
    ['preferred_language', 'French', 'preferred_language must be one of en, es, pt.'],
    ['reference', 'x'.repeat(65), 'reference must have at most 64 characters.'],
    // What the contract says itself.
    ['phone', '5', 'phone must be an E.164 number such as +12025550123.'],
  ])('says in plain words what to change: %s', (column, cell, message) => {
    expect(checkRow({ ...whole, [column]: cell }).refusal?.message).toBe(message);
  });
});
