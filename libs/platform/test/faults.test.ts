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

describe('the text of a fault', () => {
  const user = { email: 'ana@example.com', name: 'Ana' };
  const key = { name: 'k' };
  const rows = (cell: unknown) => ({ body: { rows: [{ name: cell }] } });

  it.each<[OperationName, Parts, string, code: string, text: string]>([
    ['create_partner_user', { body: { name: 'Ana' } }, '#/email', 'required', 'is required'],
    ['create_partner_user', { body: { ...user, name: '' } }, '#/name', 'too_small', 'must not be empty'],
    [
      'create_partner_user',
      { body: { ...user, name: 'a'.repeat(121) } },
      '#/name',
      'too_big',
      'must have at most 120 characters',
    ],
    ['create_partner_user', { body: { ...user, name: 5 } }, '#/name', 'invalid_type', 'must be a text'],
    ['create_partner_user', { body: { ...user, name: ['a'] } }, '#/name', 'invalid_type', 'must be a text'],
    [
      'create_partner_user',
      { body: { ...user, email: 'ana' } },
      '#/email',
      'invalid_format',
      'must be an e-mail address',
    ],
    [
      'create_partner_user',
      { body: { ...user, preferred_language: 'fr' } },
      '#/preferred_language',
      'invalid_value',
      'must be one of en, es, pt',
    ],
    [
      'create_partner_user',
      { body: { ...user, notify_by_email: 'yes' } },
      '#/notify_by_email',
      'invalid_type',
      'must be true or false',
    ],
    // An enumeration has a code of its own for what is missing.
    ['invite_staff_member', { body: user }, '#/role', 'invalid_value', 'is required'],
    ['create_key', { body: { ...key, scopes: 'staff' } }, '#/scopes', 'invalid_type', 'must be a list'],
    ['create_key', { body: { ...key, scopes: [] } }, '#/scopes', 'too_small', 'must not be empty'],
    [
      'update_staff_member',
      { ...ofMember, body: { alerts: 'all' } },
      '#/alerts',
      'invalid_type',
      'must be an object',
    ],
    [
      'review_changes',
      { body: { ids: ['1'], reviewed: true } },
      '#/ids/0',
      'invalid_type',
      'must be a number',
    ],
    ['review_changes', { body: { ids: [0], reviewed: true } }, '#/ids/0', 'too_small', 'must be at least 1'],
    [
      'review_changes',
      { body: { ids: [1.5], reviewed: true } },
      '#/ids/0',
      'invalid_type',
      'must be a whole number',
    ],
    [
      'review_changes',
      { body: { ids: Array.from({ length: 101 }, (_, i) => i + 1), reviewed: true } },
      '#/ids',
      'too_big',
      'must have at most 100 entries',
    ],
    ['create_import', rows(5), '#/rows/0/name', 'invalid_union', 'must be a text, true or false, or null'],
    [
      'create_webhook',
      { body: { url: 'https://a.example', headers: { 'a b': 'x' } } },
      '#/headers/a b',
      'invalid_key',
      'must be a header name',
    ],
    // What the contract says itself.
    [
      'create_partner_user',
      { body: { ...user, phone: '5' } },
      '#/phone',
      'invalid_format',
      'must be an E.164 number such as +12025550123',
    ],
  ])('of %s says what to do: %j', (name, parts, pointer, code, message) => {
    expect(faultsOf(name, parts)).toContainEqual({ in: 'body', pointer, code, message });
  });

  it.each<[OperationName, object, parameter: string, text: string]>([
    ['list_audit', { limit: ['1', '2'] }, 'limit', 'is given more than once'],
    ['list_partner_users', { status: ['active', 'inactive'] }, 'status', 'is given more than once'],
    ['list_partner_users', { verified: 'maybe' }, 'verified', 'must be true or false'],
    ['list_audit', { cursor: '' }, 'cursor', 'must not be empty'],
    ['list_audit', { limit: 'many' }, 'limit', 'must be an integer from 1 to 100'],
    ['list_audit', { x: '1' }, 'x', 'is not accepted here'],
  ])('of the query of %s says what to do: %j', (name, query, parameter, message) => {
    const code = parameter === 'x' ? 'unknown_parameter' : 'invalid_parameter';
    expect(faultsOf(name, { query })).toEqual([{ in: 'query', parameter, code, message }]);
  });

  it('makes the sentence of the refusal', () => {
    const { message } = refusalOf('create_partner_user', { body: { email: 'ana', x: 1 } });
    expect(message).toBe('email must be an e-mail address; name is required; x is not accepted here.');
  });
});
