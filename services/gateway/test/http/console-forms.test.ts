import { type ErrorCode, type Fault, type OperationName, operations, scopes } from '@casewatch/contracts';
import { ApiError, toProblem } from '@casewatch/platform';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { answerAll, asked, exampleOf } from '../support/console-answers.ts';
import { encoded, formOf, type SentForm } from '../support/sent-form.ts';
import { type Seen, startTestGateway } from '../support/start-gateway.ts';

// What the forms of the console send to the services, and what a person finds on the page afterwards.

type Row = Record<string, unknown>;
/** JSON; a file is of no interest. */
const bodyOf = ({ headers, body }: Seen) =>
  headers['content-type'] === 'application/json' ? JSON.parse(body) : null;
type Refused = { code: ErrorCode; message?: string; faults?: Fault[] };

const minuteS = 60;
const nowS = () => Math.floor(Date.now() / 1_000);

describe('a form of the console', () => {
  let gateway: Awaited<ReturnType<typeof startTestGateway>>;
  const bodies: Partial<Record<OperationName, object>> = {};
  const refused = new Map<OperationName, Refused>();
  let signedInAt = nowS();
  let isCalendarAllowed = true;

  const sessionOf = (token: string) => ({
    token,
    principal: {
      ...{ kind: 'partner' as const, partner_id: 1, key_id: 'staff', scopes: [...scopes] },
      ...{ staff_id: 3, role: 'owner' as const, signed_in_at: signedInAt },
    },
    ...{ session_id: token, actor: 'Maria', read_only: false, time_zone: 'UTC', language: 'en' as const },
    ...{ renew_at: '2099-01-01T00:00:00.000Z', expires_at: '2099-01-01T00:00:00.000Z' },
    ...{ partner_name: 'Santos & Partners', partner_logo_url: null },
  });

  beforeAll(async () => {
    gateway = await startTestGateway((origin) => ({ NOTIFIER_URL: origin }));
    const { bus } = gateway.identity;
    bus.serve('identity.staff_session', async ({ token }) => sessionOf(token));
    bus.serve('identity.staff_sessions', async () => ({ sessions: [] }));
    bus.serve('identity.own_calendar', async () => ({ created_at: null, is_allowed: isCalendarAllowed }));
    bus.serve('identity.request_staff_code', async () => ({ request_id: 'r', expires_in: 600 }));
    bus.serve('identity.staff_sign_in', async () => ({ session: sessionOf('new'), step: null, choices: [] }));
    bus.serve('identity.end_staff_session', async () => ({ ended: true }));
    await bus.connection.flush();
    answerAll(gateway, (name) => {
      const refusal = refused.get(name);
      if (refusal === undefined)
        return { status: 200, body: JSON.stringify({ ...exampleOf(name), ...bodies[name] }) };
      const error = new ApiError(refusal.code, refusal);
      return { status: error.status, body: JSON.stringify(toProblem(error, 'r-1')) };
    });
  });
  afterAll(() => gateway.stop());
  afterEach(() => {
    refused.clear();
    signedInAt = nowS();
    isCalendarAllowed = true;
    for (const name of Object.keys(bodies)) delete bodies[name as OperationName];
  });

  let visits = 0;
  /** Each visit has a session of its own, so that no answer about an earlier one is kept. */
  async function visit(path: string, form?: SentForm | FormData) {
    gateway.seen.length = 0;
    const response = await fetch(gateway.url + path, {
      headers: { cookie: `staff=visit-${++visits}`, 'sec-fetch-site': 'same-origin' },
      redirect: 'manual',
      ...(form && { method: 'POST', body: form instanceof FormData ? form : encoded(form) }),
    });
    const text = await response.text();
    const writes = gateway.seen
      .filter((request) => asked(request).some((name) => operations[name].method !== 'GET'))
      .map((request) => ({ name: asked(request)[0], body: bodyOf(request) }));
    return { status: response.status, to: response.headers.get('location'), text, writes };
  }
  const open = async (path: string) => (await visit(path)).text;
  const wordsOf = (text: string) => text.replaceAll(/<[^>]*>/g, ' ').replaceAll(/\s+/g, ' ');
  const answers = (name: OperationName, key: string, changes: Row) => {
    bodies[name] = { [key]: { ...(exampleOf(name)[key] as Row), ...changes } };
  };

  const edit = '/console/cases/FLOW0001042/edit';
  /** Every form that changes what is there: its page, and where it is sent. */
  const forms = [
    ['/console/cases/FLOW0001042', edit],
    ['/console/staff/9', '/console/staff/3'],
    ['/console/staff/9', '/console/staff/3/alerts'],
    ['/console/users/317/edit', '/console/users/317/edit'],
    ['/console/webhooks/13/edit', '/console/webhooks/13/edit'],
    ['/console/settings', '/console/settings'],
    ['/console/settings', '/console/settings/profile'],
    ['/console/settings', '/console/settings/second-factor'],
    ['/console/settings', '/console/settings/alerts'],
    ['/console/alerts', '/console/alerts'],
    ['/console/alerts', '/console/alerts/me'],
  ] as const;

  it.each(forms)(
    'of %s, sent to %s unchanged, sends nothing, and the page says it is saved',
    async (page, action) => {
      const { status, to, writes } = await visit(action, formOf(await open(page), action));
      expect([status, writes]).toEqual([303, []]);
      expect(await open(String(to))).toContain('The changes are saved.');
    },
  );

  it.each([
    ['/console/cases/FLOW0001042', edit, { reference: '2026-77' }, { reference: '2026-77' }],
    ['/console/cases/FLOW0001042', edit, { assignee_id: '4' }, { assignee_id: 4 }],
    ['/console/staff/9', '/console/staff/3', { name: 'Maria L.' }, { name: 'Maria L.' }],
    ['/console/users/317/edit', '/console/users/317/edit', { phone: '' }, { phone: null }],
    [
      '/console/users/317/edit',
      '/console/users/317/edit',
      { notify_by_whatsapp: 'on' },
      { notify_by_whatsapp: true },
    ],
    ['/console/webhooks/13/edit', '/console/webhooks/13/edit', { rate_limit: '7' }, { rate_limit: 7 }],
    [
      '/console/webhooks/13/edit',
      '/console/webhooks/13/edit',
      { headers: 'X-Key: a' },
      { headers: { 'X-Key': 'a' } },
    ],
    [
      '/console/settings',
      '/console/settings/profile',
      { support_contact: '+1 202 555 0100' },
      { support_contact: '+1 202 555 0100' },
    ],
    [
      '/console/settings',
      '/console/settings/alerts',
      { digest: 'off' },
      { new_member_alerts: { digest: 'off' } },
    ],
    ['/console/alerts', '/console/alerts', { scope: 'all' }, { alerts: { scope: 'all' } }],
    ['/console/alerts', '/console/alerts/me', { language: 'pt' }, { language: 'pt' }],
  ])('of %s, sent to %s, changes what was changed in it alone: %j', async (page, action, typed, sent) => {
    const { status, writes } = await visit(action, { ...formOf(await open(page), action), ...typed });
    expect([status, writes.map(({ body }) => body)]).toEqual([303, [sent]]);
  });

  it('leaves what a colleague changed while the page was open', async () => {
    answers('get_partner_case', 'case', { assignee: null, description: '', reference: null });
    const form = formOf(await open('/console/cases/FLOW0001042'), edit);
    expect(form).toMatchObject({ assignee_id: 'none', description: '', reference: '' });
    answers('get_partner_case', 'case', {
      assignee: { id: 4, name: 'Maria Lopes' },
      description: 'I-130',
    });
    const { writes } = await visit(edit, { ...form, reference: '2026-77' });
    expect(writes).toEqual([{ name: 'update_partner_case', body: { reference: '2026-77' } }]);
  });

  it('of the day in a notice, sent unchanged, leaves the day that a colleague typed since', async () => {
    const action = '/console/cases/FLOW0001042/answer';
    answers('get_partner_case', 'case', { respond_by: { date: '2027-01-04', source: 'notice' } });
    const form = formOf(await open('/console/cases/FLOW0001042'), action);
    expect((await visit(action, form)).writes).toEqual([]);
    const { writes } = await visit(action, { ...form, respond_by: '2027-01-05' });
    // With the status that the page showed: the day is never one of the next status.
    const seen = { status_update_id: Number(form.status_update_id) };
    expect(seen.status_update_id).toBeGreaterThan(0);
    expect(writes.map(({ body }) => body)).toEqual([{ respond_by: '2027-01-05', ...seen }]);
  });

  it('that was refused still knows what the page showed first, and keeps what was typed', async () => {
    answers('get_partner_case', 'case', { assignee: null, description: '', reference: null });
    const form = formOf(await open('/console/cases/FLOW0001042'), edit);
    answers('get_partner_case', 'case', { description: 'I-130', reference: null });
    refused.set('update_partner_case', {
      code: 'validation_failed',
      faults: [{ in: 'body', pointer: '#/reference', code: 'too_big', message: 'must be shorter' }],
    });
    const again = await visit(edit, { ...form, reference: '"2026"-77 <x>' });
    refused.clear();
    expect(again.status).toBe(400);
    const kept = formOf(again.text, edit);
    expect(kept).toMatchObject({ reference: '"2026"-77 <x>' });
    const { writes } = await visit(edit, { ...kept, reference: '2026-77' });
    expect(writes.map(({ body }) => body)).toEqual([{ reference: '2026-77' }]);
  });

  it.each([[undefined], ['x'], ['[1]'], ['null'], ['"text"']])(
    'of a program, or of an old page, sends all of its fields: shown is %j',
    async (shown) => {
      const form = { assignee_id: 'none', reference: '2026-77', description: '', ...(shown && { shown }) };
      const { status, writes } = await visit(edit, form);
      expect([status, writes.map(({ body }) => body)]).toEqual([
        303,
        [{ assignee_id: null, reference: '2026-77', description: '' }],
      ]);
    },
  );

  it('of the settings is refused alone: the other forms of the page stay as they were', async () => {
    const other = '/console/settings/alerts';
    const before = formOf(await open('/console/settings'), other);
    refused.set('update_profile', { code: 'validation_failed', message: 'No such zone.' });
    const { text } = await visit('/console/settings/profile', { time_zone: 'Mars/Olympus' });
    expect(text.match(/No such zone\./g)).toHaveLength(1);
    expect(formOf(text, other)).toEqual(before);
  });

  describe('with an absence', () => {
    it.each([
      ['/console/alerts', '/console/alerts'],
      ['/console/staff/9', '/console/staff/3/alerts'],
    ])('of %s, sent to %s, keeps its time of the day until another day is typed', async (page, action) => {
      answers('get_staff_member', 'staff_member', { away_until: '2026-12-10 15:00:00', time_zone: 'UTC' });
      const form = formOf(await open(page), action);
      expect(form.away_until).toBe('2026-12-10');
      const sentWith = async (typed: SentForm) =>
        (await visit(action, { ...form, ...typed })).writes.map(({ body }) => body);
      expect(await sentWith({ digest: 'off' })).toEqual([{ alerts: { digest: 'off' } }]);
      expect(await sentWith({ away_until: '2026-12-11' })).toEqual([
        { away_until: '2026-12-11T00:00:00.000Z' },
      ]);
      expect(await sentWith({ away_until: '' })).toEqual([{ away_until: null }]);
    });

    it('is refused without a kind of change where kinds are chosen, with the boxes open', async () => {
      const form = formOf(await open('/console/alerts'), '/console/alerts');
      const { categories: _, ...rest } = form;
      const { status, text, writes } = await visit('/console/alerts', { ...rest, immediate: 'chosen' });
      expect([status, writes]).toEqual([400, []]);
      expect(text).toContain('Choose at least one kind of change, or choose Nothing.');
      expect(text).toMatch(/<details class="field" open>/);
    });
  });

  describe('that adds a case and a user', () => {
    const path = '/console/cases/new';
    const typed = {
      ...{ name: 'Bia Souza', email: 'bia@example.com', preferred_language: 'pt' },
      ...{ receipt_number: 'EAC9999103403', description: 'I-130', uscis_access_acknowledged: 'on' },
    };

    it.each([
      ['a mark of direction', { description: 'I-130\u200e of the family' }, 'invisible formatting'],
      ['too many characters', { description: 'x'.repeat(256) }, 'This must have at most 255 characters.'],
      ['a receipt number that is none', { receipt_number: 'XX9123456789' }, 'three letters followed by'],
    ])('adds no user where the case has %s', async (_what, wrong, sentence) => {
      bodies.list_partner_users = { users: [] };
      const { status, text, writes } = await visit(path, { ...typed, ...wrong });
      expect([status, writes]).toEqual([400, []]);
      expect(text).toContain(sentence);
    });

    it('says that the user was added where USCIS rejects the receipt number, beside the field at fault', async () => {
      bodies.list_partner_users = { users: [] };
      const message = 'USCIS rejects this receipt number.';
      const fault = { in: 'body', pointer: '#/receipt_number', code: 'receipt_number_rejected', message };
      refused.set('create_partner_case', {
        code: 'receipt_number_rejected',
        message,
        faults: [fault as Fault],
      });
      const { status, text, writes } = await visit(path, { ...typed, receipt_number: 'XXX9123456789' });
      expect([status, writes.map(({ name }) => name)]).toEqual([
        400,
        ['create_partner_user', 'create_partner_case'],
      ]);
      expect(wordsOf(text)).toContain('Bia Souza was added, the case was not. USCIS rejects');
      expect(text).toMatch(/id="e-receipt_number">USCIS rejects this receipt number\.</);
    });
  });

  describe('that needs a recent sign-in', () => {
    it.each([['/console/staff/new'], ['/console/keys/new'], ['/console/webhooks/new']])(
      '%s asks for it before anything is typed, with some minutes to type',
      async (path) => {
        for (const [minutes, status] of [
          [9, 200],
          [11, 401],
          [16, 401],
        ] as const) {
          signedInAt = nowS() - minutes * minuteS;
          const page = await visit(path);
          expect([minutes, page.status]).toEqual([minutes, status]);
          if (status === 401) expect(page.text).toContain(`href="/console/sign-in?to=${path}"`);
        }
      },
    );

    it.each([
      ['/console/keys/new', '/console/keys/new'],
      ['/console/settings', '/console'],
      ['//evil.example/console/keys/new', '/console'],
      ['https://evil.example', '/console'],
      ['toString', '/console'],
      ['', '/console'],
    ])('comes back after the sign-in, which leads nowhere else: %j', async (to, expected) => {
      const cookies = new Map<string, string>();
      const browse = async (path: string, form?: SentForm) => {
        const response = await fetch(gateway.url + path, {
          headers: {
            cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; '),
            'sec-fetch-site': 'same-origin',
          },
          redirect: 'manual',
          ...(form && { method: 'POST', body: encoded(form) }),
        });
        for (const line of response.headers.getSetCookie()) {
          const [name = '', value = ''] = line.split(';')[0]?.split('=') ?? [];
          if (value === '') cookies.delete(name);
          else cookies.set(name, value);
        }
        return response.headers.get('location');
      };
      const email = 'maria.lopes@firm.example';
      const signIn = async (query: string) => {
        await browse(`/console/sign-in${query}`);
        await browse('/console/sign-in', { email });
        return await browse('/console/sign-in/code', { email, code: '123456' });
      };
      expect(await signIn(`?${new URLSearchParams({ to })}`)).toBe(expected);
      expect(await signIn('')).toBe('/console');
      // A way back that was not taken is forgotten.
      await browse(`/console/sign-in?${new URLSearchParams({ to })}`);
      expect(await signIn('')).toBe('/console');
    });
  });

  it('for an address of a calendar is not there where the owner has forbidden it', async () => {
    expect(await open('/console/sessions')).toContain('Make an address');
    isCalendarAllowed = false;
    const text = await open('/console/sessions');
    expect(text).not.toContain('Make an address');
    expect(wordsOf(text)).toContain('An owner of your organization has forbidden calendar addresses');
  });

  it('with pasted rows that cannot be read keeps them', async () => {
    refused.set('check_import', { code: 'import_unreadable', message: 'A quotation mark is not closed.' });
    const rows = 'receipt_number,email\n"EAC9999103403,<ana@example.com>';
    const form = new FormData();
    form.set('text', rows);
    const { status, text } = await visit('/console/imports', form);
    expect([status, text.includes('A quotation mark is not closed.')]).toEqual([400, true]);
    expect(formOf(text, '/console/imports').text?.toString().replaceAll('\r\n', '\n')).toBe(rows);
  });
});
