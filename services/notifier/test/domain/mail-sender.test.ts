import { expect, it } from '@jest/globals';
import { senderOf } from '../../src/domain/mail-sender.ts';

it.each([
  ['Casewatch <updates@casewatch.example>', 'Santos & Partners', 'Santos & Partners via Casewatch'],
  ['Casewatch <updates@casewatch.example>', null, 'Casewatch'],
  ['"Case watch" <updates@casewatch.example>', null, 'Case watch'],
  ['updates@casewatch.example', 'Santos', 'Santos'],
  ['updates@casewatch.example', null, ''],
])('the sender of mails from %s for partner %s is named %s', (from, partner, name) => {
  expect(senderOf(from, partner)).toEqual({ name, address: 'updates@casewatch.example' });
});
