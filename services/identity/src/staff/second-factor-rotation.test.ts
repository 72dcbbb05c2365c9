import { connectAs, waitFor } from '@casewatch/testing';
import { describe, expect, it } from '@jest/globals';
import { TOTP } from 'otpauth';
import { former, next, type Rotation, statusOf, usePepperRotation } from '../../test/support/pepper-rings.ts';
import { makePartner, someAddress } from '../../test/support/people.ts';
import { someNetworkAddress } from '../../test/support/sign-in.ts';
import type { TestIdentity } from '../../test/support/start-identity.ts';

let rotation: Rotation;
usePepperRotation((ready) => {
  rotation = ready;
});

const place = { address: '203.0.113.7', browser: 'Firefox on Linux' };

/** With the code of an e-mail, at whichever replica runs. */
async function enter({ nats }: TestIdentity, email: string) {
  const gateway = await connectAs(nats, 'gateway');
  const address = someNetworkAddress();
  const { request_id } = await gateway.request('identity.request_staff_code', { email, address });
  const id = `login-${request_id}`;
  const mail = await waitFor(() => rotation.notifier.sent.find(({ message_id }) => message_id === id), {
    what: 'the code',
  });
  const code = mail.kind === 'login_code' ? mail.code : '';
  const asked = { email, code, request_id, partner_id: null, ...place };
  return { gateway, ...(await gateway.request('identity.staff_sign_in', asked)) };
}

describe('a second factor', () => {
  it('works through a rotation of the pepper, and so do its recovery codes; the status says when it has moved', async () => {
    const first = await rotation.restart(former);
    const partner = await makePartner(first, 'Rotating Firm');
    const body = { email: someAddress(), name: 'A Member', role: 'viewer' };
    await first.call('POST', '/v1/client/staff', { as: partner.as, body });
    await first.db.collection('staff').updateOne({ email: body.email }, { $set: { status: 'active' } });
    const { gateway, session } = await enter(first, body.email);
    const token = session?.token ?? '';
    await gateway.request('identity.set_up_second_factor', { token });
    const key = (await gateway.request('identity.second_factor', { token })).key?.text ?? '';
    const code = new TOTP({ secret: key }).generate();
    const confirmed = { token, code, address: place.address };
    const { recovery_codes } = await gateway.request('identity.confirm_second_factor', confirmed);
    await gateway.stop();
    await first.db.collection('second_factors').updateOne({}, { $set: { last_step: 0 } });

    const before = await rotation.restart(`${former} ${next}`);
    const counts = async (identity: TestIdentity, ring: string) =>
      (await statusOf(identity, ring)).peppers.map(({ state, second_factors }) => [state, second_factors]);
    expect(await counts(before, `${next} ${former}`)).toEqual([
      ['current', 0],
      ['former', 1],
    ]);
    const moved = await rotation.restart(`${next} ${former}`);
    expect(await counts(moved, `${next} ${former}`)).toEqual([
      ['current', 1],
      ['former', 0],
    ]);
    const last = await rotation.restart(next);
    for (const typed of [new TOTP({ secret: key }).generate(), recovery_codes[0] ?? '']) {
      const entered = await enter(last, body.email);
      const step = { token: entered.step?.token ?? '', code: typed, ...place };
      const done = await entered.gateway.request('identity.finish_sign_in', step);
      expect(done.session.principal.partner_id).toBe(partner.as.partner_id);
      await entered.gateway.stop();
    }
  });
});
