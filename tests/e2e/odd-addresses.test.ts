import { createPartner, mailsTo, type Partner, send, signIn } from '@casewatch/driver';
import { waitFor } from '@casewatch/testing';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { operator } from '../support/operator.ts';
import { type System, sharedSystem } from '../support/system.ts';

/** Local parts with all that RFC 5322 allows, domains in punycode, and what looks like a field of MongoDB or of a mail. */
const addresses = [
  "o'brien&sons@example.com",
  "!#$%&'*+/=?^_`{|}~-@example.com",
  'maria@xn--80a1acny.xn--p1ai',
  '$where@example.xn--fiqs8s',
  '=?utf-8?q?eve=0d=0aBcc=3a_x?=@example.com',
  'a%40example.com@example.com',
];

describe('an odd address', () => {
  let system: System;
  let partner: Partner;
  beforeAll(async () => {
    system = await sharedSystem();
    partner = createPartner(system.dev(), system.dev().partner);
  });

  it.each(addresses)('%s is kept as it is, found, written to, and signs in', async (email) => {
    const user = await partner.verifiedUser({ email });
    const path = `/v1/client/users?email=${encodeURIComponent(email.toUpperCase())}`;
    const found = (await partner.call('GET', path)).body.users as { id: number; email: string }[];
    expect(found.map((one) => [one.id, one.email])).toEqual([[user.id, email]]);
    const [mail] = (await mailsTo(system.dev(), email)) as unknown as { to: unknown; headers: object }[];
    expect(mail?.to).toEqual(email);
    expect(Object.keys(mail?.headers ?? {})).not.toContain('bcc');
    const resent = await partner.call('POST', '/v1/client/users/resend-verification', { email });
    expect(resent.status).toBe(200);
    const { access_token } = await signIn(system.dev(), email);
    expect(access_token).toMatch(/^ey/);
  });

  it('is taken at a sign-up and by an operator', async () => {
    const email = "sign-up'&{x}@xn--80a1acny.xn--p1ai";
    const answer = await send(system.dev(), 'POST', { path: '/v1/users', body: { email, name: 'Maria' } });
    expect(answer.status).toBe(202);
    await waitFor(async () => (await mailsTo(system.dev(), email)).length > 0);
    const args = ['partner', 'create', '--name', 'Odd', '--email', email];
    const { partner: made } = await operator<{ partner: { id: number } }>(system.dataDir, ...args);
    await operator(system.dataDir, 'partner', 'set', '--partner', String(made.id), '--reply-to', email);
  });
});
