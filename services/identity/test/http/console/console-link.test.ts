import type { Bus } from '@casewatch/platform';
import { connectAs } from '@casewatch/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { admin, makePartner, type TestPartner } from '../../support/people.ts';
import { startTestIdentity, type TestIdentity } from '../../support/start-identity.ts';

const minuteMs = 60_000;
const ended = { code: 'console_session_ended' };
const invalid = { code: 'console_link_invalid' };

describe('a console link', () => {
  let identity: TestIdentity;
  let gateway: Bus;
  let partner: TestPartner;
  let offsetMs = 0;

  beforeAll(async () => {
    const clock = { now: () => new Date(Date.now() + offsetMs) };
    identity = await startTestIdentity({}, {}, undefined, clock);
    gateway = await connectAs(identity.nats, 'gateway');
    partner = await makePartner(identity, 'Law Firm');
  });
  afterAll(async () => {
    await gateway.stop();
    await identity.stop();
  });

  type Link = { url: string; expires_at: string };

  async function link(body: object = {}, as = partner.as): Promise<Link> {
    const answer = await identity.call('POST', '/v1/client/console-links', {
      as,
      body: { actor: 'maria@firm.example', ...body },
    });
    expect(answer.status).toBe(200);
    return answer.body.console_link as Link;
  }

  const tokenOf = ({ url }: Link) => new URL(url).searchParams.get('token') ?? '';
  const open = async (given: Link) =>
    await gateway.request('identity.open_console', { link_token: tokenOf(given) });
  const find = async (token: string) => await gateway.request('identity.console_session', { token });
  const renew = async (token: string) => await gateway.request('identity.renew_console', { token });

  /** What happens in `work` happens `ms` later. */
  async function later<T>(ms: number, work: () => Promise<T>): Promise<T> {
    offsetMs += ms;
    try {
      return await work();
    } finally {
      offsetMs -= ms;
    }
  }

  const look = async (token: string) => await gateway.request('identity.console_link', { link_token: token });

  it('says whose console it opens until it is used or over, and is not used up by that', async () => {
    const one = await link({ read_only: true });
    const described = { actor: 'maria@firm.example', read_only: true, partner_name: expect.any(String) };
    expect(await look(tokenOf(one))).toEqual({ link: described });
    expect(await look(tokenOf(one))).toEqual({ link: described });
    expect(await later(11 * 60_000, () => look(tokenOf(one)))).toEqual({ link: null });
    await open(one);
    for (const token of [tokenOf(one), 'a.b', `${tokenOf(one)}x`])
      expect(await look(token)).toEqual({ link: null });
  });

  it('opens one session, even if twenty browsers open it at the same time', async () => {
    const one = await link();
    const results = await Promise.allSettled(Array.from({ length: 20 }, () => open(one)));
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    await expect(open(one)).rejects.toMatchObject(invalid);
  });

  it('lasts 10 minutes', async () => {
    const one = await link();
    await expect(later(10 * minuteMs + 1_000, () => open(one))).rejects.toMatchObject(invalid);
    await later(9 * minuteMs, () => open(one));
  });

  it('gives the scopes of its key and the name of the person; read-only, those that read', async () => {
    const { principal, actor } = await open(await link());
    expect(principal).toMatchObject({
      kind: 'partner',
      partner_id: partner.as.partner_id,
      scopes: partner.as.scopes,
    });
    expect(actor).toBe('maria@firm.example');
    const reading = await open(await link({ read_only: true }));
    expect(reading.principal.scopes).toEqual(['users:read', 'cases:read', 'profile:read']);
  });

  it('is refused to a key without the scope keys', async () => {
    const answer = await identity.call('POST', '/v1/client/console-links', {
      as: { ...partner.as, scopes: ['users:read'] },
      body: { actor: 'a' },
    });
    expect(answer.status).toBe(403);
  });

  it('opens a session whose token is replaced after 15 minutes; the former token works for 30 s more', async () => {
    const first = await open(await link());
    expect(Date.parse(first.renew_at) - Date.now()).toBeLessThanOrEqual(15 * minuteMs);
    const second = await renew(first.token);
    expect(second.token).not.toBe(first.token);
    // Two tabs, or a lost answer.
    expect((await renew(first.token)).token).toBe(second.token);
    expect((await find(first.token)).token).toBe(second.token);
    await expect(later(31_000, () => find(first.token))).rejects.toMatchObject(ended);
    // Perhaps stolen: the session has ended for both.
    await expect(find(second.token)).rejects.toMatchObject(ended);
  });

  it('opens a session that ends after expires_in, by sign-out, or with its key', async () => {
    const short = await open(await link({ expires_in: 60 }));
    await expect(later(61_000, () => find(short.token))).rejects.toMatchObject(ended);
    const left = await open(await link());
    expect(await gateway.request('identity.end_console', { token: left.token })).toEqual({ ended: true });
    await expect(find(left.token)).rejects.toMatchObject(ended);
    await expect(renew(left.token)).rejects.toMatchObject(ended);
    const other = await makePartner(identity, 'Other');
    const byOther = await open(await link({}, other.as));
    await admin(identity, 'key', 'revoke', '--key', other.as.key_id);
    await expect(find(byOther.token)).rejects.toMatchObject({ code: 'api_key_revoked' });
  });

  it('is made by the operator too', async () => {
    const made = await admin(
      identity,
      ...['console', 'link', '--partner', String(partner.as.partner_id), '--read-only', 'true'],
    );
    expect((await open(made.console_link as Link)).read_only).toBe(true);
  });

  it('stands in no row as a token', async () => {
    const one = await link();
    const { token } = await open(one);
    const rows = await Promise.all(
      ['console_links', 'console_sessions'].map((name) => identity.db.collection(name).find().toArray()),
    );
    const stored = JSON.stringify(rows);
    for (const secret of [tokenOf(one), token])
      expect(stored).not.toContain(secret.split('.').at(-1) ?? secret);
  });
});
