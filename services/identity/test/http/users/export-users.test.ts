import type { Principal } from '@casewatch/contracts';
import { withoutGuard } from '@casewatch/platform';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { makePartner, makeUser, type TestPartner, type WireUser } from '../../support/people.ts';
import type { TestIdentity } from '../../support/start-identity.ts';
import { sharedIdentity } from '../../support/use-identity.ts';

/** No cell of these tests has a comma or a quotation mark. */
const path = '/v1/client/users.csv';
const formulas = ['=1+1', '+1', '-5', '@home', '＝1+1', '＋1', '－5', '＠home', "'=1+1", "O'Neill", "'tis"];
const guarded = [
  "'=1+1",
  "'+1",
  "'-5",
  "'@home",
  "'＝1+1",
  "'＋1",
  "'－5",
  "'＠home",
  "''=1+1",
  "O'Neill",
  "'tis",
];

describe('GET /v1/client/users.csv', () => {
  let identity: TestIdentity;
  let firm: TestPartner;
  /** Newest first. */
  const users: WireUser[] = [];
  const get = (query = '', as: Principal = firm.as) => identity.call('GET', `${path}${query}`, { as });
  const linesOf = (text: string) => text.trimEnd().split('\r\n').slice(1);
  const idsOf = async (query: string) =>
    linesOf((await get(query)).text).map((line) => Number(line.split(',')[0]));
  const staff = (role: 'viewer' | 'editor', signedInAgoS: number): Principal => ({
    kind: 'partner',
    partner_id: firm.as.partner_id,
    key_id: '',
    staff_id: 9,
    role,
    scopes: ['users:read'],
    signed_in_at: Math.floor(Date.now() / 1_000) - signedInAgoS,
  });

  beforeAll(async () => {
    ({ identity } = await sharedIdentity());
    firm = await makePartner(identity, 'Leaving Firm');
    const other = await makePartner(identity, 'Another Firm');
    await makeUser(identity, other);
    for (const name of formulas) users.unshift(await makeUser(identity, firm, { name }));
    // More than two pages.
    for (let i = 0; i < 215; i += 1)
      users.unshift(await makeUser(identity, firm, { name: `Ana ${i}`, send_verification: false }));
  });

  it('has every user of the partner once, newest first, and is saved as a file', async () => {
    const { status, headers, text } = await get();
    expect([status, headers.get('content-type'), headers.get('content-disposition')]).toEqual([
      200,
      'text/csv; charset=utf-8',
      'attachment; filename="users.csv"',
    ]);
    expect(text.split('\r\n')[0]).toBe(
      'id,email,name,phone,preferred_language,status,email_verified_at,notify_by_email,notify_by_whatsapp,created_at,updated_at',
    );
    expect(await idsOf('')).toEqual(users.map(({ id }) => id));
    const [newest] = users;
    expect(linesOf(text)[0]).toMatch(
      new RegExp(`^${newest?.id},${newest?.email},Ana 214,,en,active,,true,false,\\d{4}-\\d\\d-\\d\\d `),
    );
  });

  it('begins with the byte order mark of UTF-8', async () => {
    // `Response.text` takes it away.
    const { bytes } = await get();
    expect([...bytes.subarray(0, 3)]).toEqual([0xef, 0xbb, 0xbf]);
  });

  it('has an apostrophe before what a spreadsheet would calculate, which an import takes away', async () => {
    const names = linesOf((await get()).text)
      .slice(-formulas.length)
      .map((line) => line.split(',')[2] ?? '')
      .toReversed();
    expect(names).toEqual(guarded);
    expect(names.map(withoutGuard)).toEqual(formulas);
  });

  it('takes the filters of the list', async () => {
    const [newest, second] = users as [WireUser, WireUser];
    expect(await idsOf(`?email=${newest.email.toUpperCase()}`)).toEqual([newest.id]);
    expect(await idsOf('?name=ana%20214')).toEqual([newest.id]);
    expect(await idsOf('?verified=true')).toEqual([]);
    expect(await idsOf('?verified=false')).toHaveLength(users.length);
    const body = { status: 'inactive' };
    await identity.call('PUT', `/v1/client/users/${second.id}`, { as: firm.as, body });
    expect(await idsOf('?status=inactive')).toEqual([second.id]);
    const since = encodeURIComponent(String(newest.created_at));
    expect((await idsOf(`?created_since=${since}`))[0]).toBe(newest.id);
    expect(await idsOf('?created_since=2099-01-01T00:00:00Z')).toEqual([]);
    for (const query of ['?limit=5', '?cursor=x', '?sort=created_at']) {
      const { status, body: refusal } = await get(query);
      expect([query, status, refusal.code]).toEqual([query, 400, 'unknown_parameter']);
    }
    // More than a search finds: a part would look like all of them.
    const { status, body: refusal } = await get('?name=ana');
    expect([status, refusal.code]).toEqual([400, 'invalid_parameter']);
  });

  it('is refused to a viewer, and to a member who signed in 16 minutes ago', async () => {
    const refusalOf = async (as: Principal) => (await get('', as)).body.code;
    expect(await refusalOf(staff('viewer', 5))).toBe('insufficient_role');
    expect(await refusalOf(staff('editor', 16 * 60))).toBe('reauthentication_required');
    expect(await refusalOf({ ...firm.as, scopes: ['cases:read'] })).toBe('insufficient_scope');
    expect((await get('', staff('editor', 60))).status).toBe(200);
  });
});
