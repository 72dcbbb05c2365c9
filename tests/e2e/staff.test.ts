import { createPartner, mailsTo, type PartnerKeys, type PartnerWithKey } from '@casewatch/driver';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { newPartner } from '../support/operator.ts';
import { acceptInvitation, invitationTo, pressAccept } from '../support/staff.ts';
import { type DevFile, type System, sharedSystem } from '../support/system.ts';

type Member = { id: number; status: string; role: string };
let count = 0;

describe('an invitation', () => {
  let system: System;
  let at: DevFile;
  let firm: PartnerWithKey;
  beforeAll(async () => {
    system = await sharedSystem();
    at = system.dev();
    firm = await newPartner(system.dataDir, 'Firm <b>with</b> staff');
  });

  const call = (keys: PartnerKeys, method: string, path = '', body?: object) =>
    createPartner(at, keys).call<{ staff_member: Member }>(method, `/v1/client/staff${path}`, body);

  async function invite(role = 'viewer') {
    const email = `member${++count}.${Date.now().toString(36)}@firm.example`;
    const { body } = await call(firm, 'POST', '', { email, name: '"><img src=x>', role });
    return { email, id: body.staff_member.id };
  }
  const statusOf = async (id: number) => (await call(firm, 'GET', `/${id}`)).body.staff_member.status;

  it('arrives by mail; its page tells of whom it is, without markup of others, and changes nothing', async () => {
    const { email, id } = await invite('editor');
    const token = await invitationTo(at, email);
    const page = await fetch(`${at.gateway_url}/console/invitation?token=${token}`);
    const text = await page.text();
    expect(page.status).toBe(200);
    expect(text).toContain('Firm &lt;b&gt;with&lt;/b&gt; staff');
    expect(text).not.toMatch(/<img|<b>with/);
    expect(text).toContain('an editor');
    expect(page.headers.get('referrer-policy')).toBe('no-referrer, strict-origin');
    expect(page.headers.get('cache-control')).toBe('no-store');
    expect(page.headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
    const head = await fetch(page.url, { method: 'HEAD' });
    expect([head.status, await statusOf(id)]).toEqual([200, 'invited']);
    const mails = await mailsTo(at, email);
    expect(mails).toHaveLength(1);
    expect(mails[0]?.text).not.toContain('img');
    expect(mails[0]?.subject).toBe('Invitation to Casewatch');
  });

  it('is accepted by its button, once', async () => {
    const { email, id } = await invite();
    const token = await invitationTo(at, email);
    expect((await pressAccept(at, token)).status).toBe(303);
    expect(await statusOf(id)).toBe('active');
    for (const answer of [
      await pressAccept(at, token),
      await fetch(`${at.gateway_url}/console/invitation?token=${token}`),
    ])
      expect(answer.status).toBe(400);
  });

  it.each([
    ['another site', { 'sec-fetch-site': 'cross-site' }],
    ['another subdomain', { 'sec-fetch-site': 'same-site' }],
    ['another origin', { origin: 'https://evil.example' }],
    ['nowhere', {}],
  ])('is not accepted by a form from %s', async (_where, headers) => {
    const { email, id } = await invite();
    const body = new URLSearchParams({ token: await invitationTo(at, email) });
    const answer = await fetch(`${at.gateway_url}/console/invitation`, { method: 'POST', headers, body });
    expect([answer.status, await statusOf(id)]).toEqual([403, 'invited']);
    await acceptInvitation(at, email);
  });

  it.each([['x'], [''], ['a.b'], ['x'.repeat(300)], ['a.b&token=c.d'], ['\u0000']])(
    'that does not exist is a page with a sentence: %j',
    async (token) => {
      for (const answer of [
        await fetch(`${at.gateway_url}/console/invitation?token=${token}`),
        await fetch(`${at.gateway_url}/console/invitation`, {
          method: 'POST',
          headers: {
            origin: new URL(at.gateway_url).origin,
            'content-type': 'application/x-www-form-urlencoded',
          },
          body: `token=${token}`,
        }),
      ]) {
        expect(answer.status).toBe(400);
        expect(await answer.text()).toContain('ask your organization for a new one');
      }
    },
  );

  it('of a member who is removed in the moment of accepting is accepted before, or not at all', async () => {
    for (let round = 0; round < 5; round++) {
      const { email, id } = await invite();
      const token = await invitationTo(at, email);
      const [accepted, removed] = await Promise.all([pressAccept(at, token), call(firm, 'DELETE', `/${id}`)]);
      expect([303, 400]).toContain(accepted.status);
      expect([removed.status, (await call(firm, 'GET', `/${id}`)).status]).toEqual([200, 404]);
    }
  });
});
