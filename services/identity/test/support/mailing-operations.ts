import type { UserPrincipal } from '@casewatch/contracts';
import { type OperationOf, operations } from '@casewatch/contracts';
import { makePartner, someAddress, type TestPartner, userOf } from './people.ts';
import { someNetworkAddress } from './sign-in.ts';
import type { TestIdentity } from './start-identity.ts';

/** Makes one operation send mail to one recipient as often as it can; `times` uses. */
type Attack = (identity: TestIdentity, recipient: string, times: number) => Promise<void>;

type Operations = typeof operations;
type Writing = {
  [N in OperationOf<'identity'>]: Operations[N]['method'] extends 'GET' ? never : N;
}[OperationOf<'identity'>];

/** Names of identity's operations whose body names an e-mail address. */
export const operationsThatNameAnAddress = Object.entries(operations)
  .filter(([, { service }]) => service === 'identity')
  .filter(
    ([, row]) => 'body' in row && ['email', 'reply_to'].some((field) => Object.hasOwn(row.body.shape, field)),
  )
  .map(([name]) => name);

/**
 * How each operation of identity that writes can be used to bother a recipient. Null: it sends no mail to an address that the
 * caller chooses. A new operation does not compile until it stands here.
 */
export const attacks: Record<Writing, Attack | null> = {
  request_login_code: async (identity, email, times) => {
    await repeat(times, () => post(identity, '/v1/auth/login-code', { email }));
  },
  verify_login_code: async (identity, email, times) => {
    await repeat(times, () => post(identity, '/v1/auth/login-code/verify', { email, code: '123456' }));
  },
  issue_token: async (identity, email, times) => {
    await repeat(times, () => post(identity, '/v1/auth/token', { email, code: '123456' }));
  },
  create_user: async (identity, email, times) => {
    await repeat(times, () => post(identity, '/v1/users', { email, name: 'Someone' }));
    await createAndDelete(identity, '/v1/users', email, times);
  },
  create_partner_user: async (identity, email, times) => {
    await createAndDelete(identity, '/v1/client/users', email, times);
  },
  update_user: async (identity, email, times) => {
    const partner = await makePartner(identity, 'Bombing Firm');
    const users = await repeat(4, () => newUser(identity, partner, someAddress()));
    await repeat(times, async (i) => {
      const user = users[i % users.length];
      if (!user) return;
      const as = userCaller(user.id, partner);
      for (const address of [email, user.email]) {
        await identity.call('PUT', `/v1/users/${user.id}`, { as, body: { email: address } });
      }
    });
  },
  update_partner_user: async (identity, email, times) => {
    const partners = await somePartners(identity);
    await repeat(times, async (i) => {
      const partner = partners[i % partners.length] as TestPartner;
      const own = someAddress();
      const { id } = await newUser(identity, partner, own);
      for (const address of [email, own]) {
        const options = { as: partner.as, body: { email: address } };
        await identity.call('PUT', `/v1/client/users/${id}`, options);
      }
    });
  },
  resend_partner_verification: async (identity, email, times) => {
    await resend(identity, '/v1/client/users/resend-verification', email, times);
  },
  resend_verification: async (identity, email, times) => {
    await resend(identity, '/v1/users/resend-verification', email, times);
    await repeat(times, () => post(identity, '/v1/users/resend-verification', { email }));
  },
  invite_staff_member: async (identity, email, times) => {
    const partners = await somePartners(identity);
    await repeat(times, async (i) => {
      const { as } = partners[i % partners.length] as TestPartner;
      const body = { email, name: 'Someone', role: 'viewer', resend: true };
      const { body: answer } = await identity.call('POST', '/v1/client/staff', { as, body });
      const member = answer.staff_member as { id: number } | undefined;
      if (member && i % 2 === 0) await identity.call('DELETE', `/v1/client/staff/${member.id}`, { as });
    });
  },
  // A link that only the recipient has leads to these: each use is the recipient's own.
  verify_email_button: null,
  renew_verification_link: null,
  undo_email_change: null,
  log_out: null,
  delete_user: null,
  delete_partner_user: null,
  update_logo: null,
  create_key: null,
  rotate_key: null,
  revoke_key: null,
  create_console_link: null,
  update_staff_member: null,
  remove_staff_member: null,
  reset_second_factor: null,
  update_profile: async (identity, email, times) => {
    const partners = await somePartners(identity);
    await repeat(times, async (i) => {
      const { as } = partners[i % partners.length] as TestPartner;
      for (const reply_to of [email, null])
        await identity.call('PUT', '/v1/client/profile', { as, body: { reply_to } });
    });
  },
};

async function repeat<T>(times: number, work: (i: number) => Promise<T>): Promise<T[]> {
  const results: T[] = [];
  for (let i = 0; i < times; i++) results.push(await work(i));
  return results;
}

/** As somebody unknown, from a network of their own. */
async function post(identity: TestIdentity, path: string, body: object): Promise<void> {
  await identity.call('POST', path, { body, address: someNetworkAddress() });
}

async function newUser(identity: TestIdentity, partner: TestPartner, email: string) {
  const body = { email, name: 'Someone' };
  return userOf(await identity.call('POST', '/v1/users', { as: partner.as, body }));
}

async function createAndDelete(identity: TestIdentity, path: string, email: string, times: number) {
  const partners = await somePartners(identity);
  await repeat(times, async (i) => {
    const { as } = partners[i % partners.length] as TestPartner;
    const reply = await identity.call('POST', path, { as, body: { email, name: 'Someone' } });
    await identity.call('DELETE', `/v1/client/users/${userOf(reply).id}`, { as });
  });
}

/** Each partner may ask once a minute for its own user. */
async function resend(identity: TestIdentity, path: string, email: string, times: number) {
  await repeat(times, async () => {
    const partner = await makePartner(identity, 'Bombing Firm');
    await newUser(identity, partner, email);
    await identity.call('POST', path, { as: partner.as, body: { email } });
  });
}

async function somePartners(identity: TestIdentity): Promise<TestPartner[]> {
  return await repeat(3, () => makePartner(identity, 'Bombing Firm'));
}

function userCaller(userId: number, partner: TestPartner): UserPrincipal {
  return {
    kind: 'user',
    user_id: userId,
    partner_id: partner.as.partner_id,
    session_id: 'a-session-of-the-test',
    signed_in_at: Math.floor(Date.now() / 1000),
  };
}
