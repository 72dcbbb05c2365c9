import { type OperationName, operations } from '@casewatch/contracts';
import { describe, expect, it } from '@jest/globals';
import type { ApiError } from '../src/errors.ts';
import { parseCall } from '../src/http/call.ts';

type Parts = { params?: object; query?: object; body?: unknown };

/** The refusal of a request to an operation. */
function refusalOf(name: OperationName, { params = {}, query = {}, body = {} }: Parts): ApiError {
  const parts = { params, query, body } as Parameters<typeof parseCall>[3];
  try {
    parseCall(operations[name], {} as never, {} as never, parts);
  } catch (error) {
    return error as ApiError;
  }
  throw new Error('the request was accepted');
}

const faultsOf = (name: OperationName, parts: Parts) => refusalOf(name, parts).options.faults ?? [];
const ofMember = { params: { staff_id: '1' } };

describe('the pointer of a fault', () => {
  it.each<[OperationName, Parts, string]>([
    ['update_staff_member', { ...ofMember, body: { alerts: { x: 1 } } }, '#/alerts/x'],
    [
      'update_profile',
      { body: { new_member_alerts: { quiet_hours: { from: '20:00', to: '07:00', z: 1 } } } },
      '#/new_member_alerts/quiet_hours/z',
    ],
    ['create_import', { body: { rows: [{ foo: 1 }] } }, '#/rows/0/foo'],
    // RFC 6901 §3: a tilde and a slash of a name are escaped.
    ['update_staff_member', { ...ofMember, body: { alerts: { 'a/b~c': 1 } } }, '#/alerts/a~1b~0c'],
    ['update_staff_member', { ...ofMember, body: { x: 1 } }, '#/x'],
  ])('of %s names the whole place of an unknown field: %j', (name, parts, pointer) => {
    const code = 'unknown_field';
    expect(faultsOf(name, parts)).toEqual([{ in: 'body', pointer, code, message: 'is not accepted here' }]);
  });
});

describe('the number of faults', () => {
  // An import has room for 200,000.
  it.each([
    [1_000, 'foo'],
    [200_000, '__proto__'],
  ])('is at most 50 in a body with %d times the name %s', (count, name) => {
    const rows = Array.from({ length: count }, () => `{"${name}":1}`).join();
    expect(faultsOf('create_import', { body: JSON.parse(`{"rows":[${rows}]}`) })).toHaveLength(50);
  });
});
