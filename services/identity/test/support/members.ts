import type { Bus } from '@casewatch/platform';
import { waitFor } from '@casewatch/testing';
import type { TestNotifier } from './notifier.ts';
import { someAddress, type TestPartner } from './people.ts';
import { someNetworkAddress } from './sign-in.ts';
import type { TestIdentity } from './start-identity.ts';

type World = { identity: TestIdentity; notifier: TestNotifier; gateway: Bus; partner: TestPartner };
export type Guess = { email: string; code: string; request_id: string | null; partner_id?: number | null };

/** Where a member signs in, if a test does not say otherwise. */
export const home = '203.0.113.7';

/** Members of staff and the way in which they sign in, asked over the bus as the gateway asks. `world`: what runs once the tests run. */
export function memberSignIn(world: () => World) {
  /** A member who is active, as the acceptance leaves it. */
  async function makeMember(of = world().partner, role = 'viewer', email = someAddress()) {
    const { identity } = world();
    const body = { email, name: 'A Member', role };
    const { body: answer } = await identity.call('POST', '/v1/client/staff', { as: of.as, body });
    const { id } = answer.staff_member as { id: number };
    await identity.db.collection('staff').updateOne({ _id: id as never }, { $set: { status: 'active' } });
    return { id, email };
  }

  const mailsWithCode = (email: string) =>
    world().notifier.sent.flatMap((mail) =>
      mail.kind === 'login_code' && mail.to === email ? [mail.code] : [],
    );

  /** Each time from another network, whose limit is not reached. */
  async function codeFor(email: string, address = someNetworkAddress()) {
    const seen = mailsWithCode(email).length;
    const { request_id } = await world().gateway.request('identity.request_staff_code', { email, address });
    const code = await waitFor(() => mailsWithCode(email)[seen], { what: `a code for ${email}` });
    return { email, code, request_id };
  }

  const enter = ({ partner_id = null, ...guess }: Guess, address = home, browser = 'Firefox on Linux') =>
    world().gateway.request('identity.staff_sign_in', { ...guess, partner_id, address, browser });

  async function signIn(email: string) {
    const { session } = await enter(await codeFor(email));
    if (session === null) throw new Error('no session');
    return session;
  }

  return { makeMember, mailsWithCode, codeFor, enter, signIn };
}
