import { defaultAlerts } from '@casewatch/contracts';
import { ApiError, type Bus } from '@casewatch/platform';
import { connectAs } from '@casewatch/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { makePartner, makeUser, type TestPartner } from '../../support/people.ts';
import type { TestIdentity } from '../../support/start-identity.ts';
import { sharedIdentity } from '../../support/use-identity.ts';

let identity: TestIdentity;
let partner: TestPartner;
let other: TestPartner;
let cases: Bus;
let monitor: Bus;
let webhooks: Bus;
/** What cases and monitor answer. Each is served once: of two that serve a request, either answers. */
let casesOf = (partnerId: number): number => (partnerId === partner.as.partner_id ? 7 : 0);
let liveChecksOf = (_partnerId: number): number => {
  throw new ApiError('service_unavailable');
};

beforeAll(async () => {
  ({ identity } = await sharedIdentity());
  partner = await makePartner(identity, 'Law Firm');
  other = await makePartner(identity, 'Relocation');
  await makeUser(identity, partner);
  await makeUser(identity, partner);
  [cases, monitor, webhooks] = await Promise.all([
    connectAs(identity.nats, 'cases'),
    connectAs(identity.nats, 'monitor'),
    connectAs(identity.nats, 'webhooks'),
  ]);
});
afterAll(async () => {
  await Promise.all([cases.stop(), monitor.stop(), webhooks.stop()]);
});

const profile = (as = partner.as) => identity.call('GET', '/v1/client/profile', { as });
const setLogo = (logo_url: unknown, as = partner.as) =>
  identity.call('PUT', '/v1/client/logo', { as, body: { logo_url } });
const partnerTime = expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/);
const isoTime = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);

/** What a profile without anything set looks like. */
const fresh = () => ({
  id: partner.as.partner_id,
  name: 'Law Firm',
  email: 'office@example.com',
  logo_url: null,
  shown_logo_url: null,
  logo_fault: null,
  status: 'active',
  scopes: partner.as.scopes,
  notify_unverified: false,
  case_url: null,
  reply_to: null,
  pending_reply_to: null,
  support_contact: null,
  time_zone: null,
  calendar_addresses: true,
  names_in_mails: true,
  new_member_alerts: defaultAlerts,
  second_factor: 'none',
  user_count: 2,
  user_count_is_exact: true,
  case_count: 7,
  case_count_is_exact: true,
  limits: {
    requests_per_minute: 600,
    webhooks: 20,
    active_cases_per_user: 50,
    live_checks_per_day: null,
  },
});

describe('the profile of a partner', () => {
  it('is 503 while cases does not answer, and a logo is not changed then', async () => {
    const [reply, put] = await Promise.all([profile(), setLogo('https://firm.example/lost.png')]);
    expect(reply.body).toMatchObject({ status: 503, code: 'service_unavailable' });
    expect(reply.headers.get('retry-after')).toBe('5');
    expect(put.status).toBe(503);
  });

  it('shows all of it, with partner times and the scopes of the key that asks', async () => {
    cases.serve('cases.count', async ({ partner_id }) => ({ cases: casesOf(partner_id), active_cases: 0 }));
    await cases.connection.flush();
    const [reply, narrow] = await Promise.all([
      profile(),
      profile({ ...other.as, scopes: ['profile:read'] }),
    ]);
    expect(reply.status).toBe(200);
    expect(reply.body).toEqual({ client: { ...fresh(), created_at: partnerTime, updated_at: partnerTime } });
    expect(narrow.body.client).toMatchObject({ user_count: 0, case_count: 0, scopes: ['profile:read'] });
  });

  it('counts as lists do: up to 10,000, and says that there are more', async () => {
    const before = casesOf;
    casesOf = () => 10_001;
    const { client } = (await profile()).body;
    casesOf = before;
    expect(client).toMatchObject({
      user_count_is_exact: true,
      case_count: 10_000,
      case_count_is_exact: false,
    });
  });

  it('shows the live checks a day that the monitor tells, each partner its own', async () => {
    monitor.serve('monitor.share', async ({ partner_id }) => ({
      live_checks_per_day: liveChecksOf(partner_id),
    }));
    await monitor.connection.flush();
    const before = liveChecksOf;
    liveChecksOf = (id) => (id === partner.as.partner_id ? 12 : 3);
    const shown = (live_checks_per_day: number | null) => ({
      client: { limits: { ...fresh().limits, live_checks_per_day } },
    });
    expect((await profile()).body).toMatchObject(shown(12));
    expect((await profile(other.as)).body).toMatchObject(shown(3));
    expect((await setLogo(null)).body).toMatchObject(shown(12));
    liveChecksOf = before;
    expect((await profile()).body).toMatchObject(shown(null));
  });

  it('stores the address of a logo while webhooks does not answer, and says that nobody sees the logo', async () => {
    const reply = await setLogo('https://firm.example/later.png', other.as);
    const client = { logo_url: 'https://firm.example/later.png', logo_fault: 'not_reachable' };
    expect(reply.body).toMatchObject({ client: { ...client, shown_logo_url: null } });
    await setLogo(null, other.as);
  });

  it('takes a logo, keeps a copy, tells the others, and lets it go again', async () => {
    const content = Buffer.from('the picture').toString('base64');
    webhooks.serve('webhooks.fetch_logo', async ({ url }) =>
      url.endsWith('.svg')
        ? { outcome: 'refused', fault: 'not_an_image' }
        : { outcome: 'fetched', type: 'png', content },
    );
    await webhooks.connection.flush();
    const logo_url = 'https://firm.example/logo.png?v=2';
    const reply = await setLogo(logo_url);
    expect(reply.status).toBe(200);
    const shown_logo_url = expect.stringMatching(/^http.*\/logos\/[\w-]{22}\.png$/);
    expect(reply.body).toEqual({
      success: true,
      message: 'Logo updated.',
      client: { ...fresh(), logo_url, shown_logo_url, created_at: isoTime, updated_at: isoTime },
    });
    const { partner_id } = partner.as;
    const people = await webhooks.request('identity.people', {
      ids: [(await makeUser(identity, partner)).id],
      fields: ['partner_logo_url'],
      partner_id,
    });
    expect(people).toEqual({ people: [{ id: expect.any(Number), partner_logo_url: shown_logo_url }] });
    const url = String((reply.body.client as { shown_logo_url: string }).shown_logo_url);
    const name = url.slice(url.lastIndexOf('/') + 1);
    const gateway = await connectAs(identity.nats, 'gateway');
    const copy = async () => (await gateway.request('identity.logo', { name })).content;
    expect(await copy()).toBe(content);
    const svg = await setLogo('https://firm.example/logo.svg');
    expect(svg.body.client).toMatchObject({ shown_logo_url: null, logo_fault: 'not_an_image' });
    expect(await copy()).toBeNull();
    await gateway.stop();
    await setLogo(logo_url);
    expect((await profile()).body.client).toMatchObject({ logo_url });
    const about = { type: 'partner.updated', body: { $regex: `"partner_id":${partner.as.partner_id}\\b` } };
    const event = await identity.db.collection('outbox').findOne(about);
    expect(JSON.parse(String(event?.body)).data).toEqual({
      partner_id: partner.as.partner_id,
      status: 'active',
      version: 2,
    });
    expect((await setLogo(null)).body).toMatchObject({
      message: 'Logo removed.',
      client: { logo_url: null },
    });
    expect((await profile(other.as)).body.client).toMatchObject({ logo_url: null });
  });

  it.each([
    ['http://firm.example/logo.png'],
    ['javascript:alert(1)'],
    ['/logo.png'],
    ['https://firm.example/a b.png'],
    ['https://somebody@firm.example/logo.png'],
    ['https://256.256.256.256/logo.png'],
    [`https://firm.example/${'a'.repeat(2048)}`],
    [7],
    [undefined],
  ])('refuses as a logo: %j', async (logo_url) => {
    const reply = await setLogo(logo_url);
    expect(reply.body).toMatchObject({ status: 400, errors: [{ pointer: '#/logo_url' }] });
  });

  it('is 401 without keys and 403 without the scope', async () => {
    const nobody = await identity.call('GET', '/v1/client/profile');
    expect(nobody.body).toMatchObject({ status: 401, code: 'missing_credentials' });
    expect((await profile({ ...partner.as, scopes: ['profile:write'] })).status).toBe(403);
    expect((await setLogo(null, { ...partner.as, scopes: ['profile:read'] })).status).toBe(403);
  });
});
