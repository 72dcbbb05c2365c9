import { problem } from '@casewatch/contracts';
import { createPartner, type Partner } from '@casewatch/driver';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newPartner } from '../support/operator.ts';
import { type System, sharedSystem } from '../support/system.ts';

const json = 'application/json';
const user = '"email":"hostile@example.com","name":"Hostile"';

/** What is sent, with which type, and which status is the honest answer. */
const bodies: [what: string, body: string | Buffer, type: string, status: number][] = [
  ['a query operator for a string', `{"email":{"$gt":""},"name":"x"}`, json, 400],
  ['a query operator as a field', `{${user},"$where":"sleep(1000)"}`, json, 400],
  ['a prototype', `{${user},"__proto__":{"status":"suspended"}}`, json, 400],
  ['a constructor', `{${user},"constructor":{"prototype":{"x":1}}}`, json, 400],
  [
    'fields that are not the caller’s to set',
    `{${user},"id":1,"partner_id":2,"email_verified_at":null}`,
    json,
    400,
  ],
  ['10 MB', `{"name":"${'x'.repeat(10_000_000)}"}`, json, 413],
  ['5,000 levels', `${'{"a":'.repeat(5_000)}1${'}'.repeat(5_000)}`, json, 413],
  ['2,000 levels', `${'{"a":'.repeat(2_000)}1${'}'.repeat(2_000)}`, json, 400],
  ['another charset', Buffer.from(`{${user}}`, 'utf16le'), `${json}; charset=utf-16le`, 415],
  [
    'bytes that are not UTF-8',
    Buffer.concat([Buffer.from('{"name":"'), Buffer.from([0xc3, 0x28]), Buffer.from('"}')]),
    json,
    400,
  ],
  ['a key twice', `{${user},"name":"Other"}`, json, 400],
  ['NUL in a name', `{"email":"hostile@example.com","name":"a\\u0000b"}`, json, 400],
  ['a line break in a name', `{"email":"hostile@example.com","name":"a\\r\\nBcc: x@example.com"}`, json, 400],
  ['an unpaired surrogate', `{"email":"hostile@example.com","name":"\\ud800"}`, json, 400],
  ['half a document', `{${user}`, json, 400],
  ['an array', `[{${user}}]`, json, 400],
  ['a form', 'email=hostile%40example.com&name=x', 'application/x-www-form-urlencoded', 415],
  ['text', `{${user}}`, 'text/plain', 415],
  ['a number that is none', `{${user},"phone":NaN}`, json, 400],
];

describe('a hostile body', () => {
  let system: System;
  /** Nobody else makes users of theirs meanwhile. */
  let partner: Partner;
  let usersBefore: unknown;
  const newestUsers = async () => (await partner.call('GET', '/v1/client/users')).body.users;
  beforeAll(async () => {
    system = await sharedSystem();
    partner = createPartner(system.dev(), await newPartner(system.dataDir, 'Hostile Firm'));
    usersBefore = await newestUsers();
  });
  afterAll(async () => {
    await system.stop();
  });

  it.each(bodies)('of %s is refused in the one error shape', async (_what, body, type, status) => {
    const { gateway_url } = system.dev();
    const response = await fetch(`${gateway_url}/v1/client/users`, {
      method: 'POST',
      headers: { ...partner.headers, 'content-type': type },
      body: typeof body === 'string' ? body : new Uint8Array(body),
    });
    const answer = problem.parse(await response.json());
    expect([response.status, answer.status]).toEqual([status, status]);
    expect(JSON.stringify(answer)).not.toContain('hostile@example.com');
  });

  it('has stored nothing', async () => {
    expect(await newestUsers()).toEqual(usersBefore);
  });
});
