import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  codePattern,
  createPartner,
  inMail,
  keyHeaders,
  newReceipt,
  type PartnerWithKey,
  send,
  setReceipt,
  succeed,
  titled,
} from '@casewatch/driver';
import { waitFor } from '@casewatch/testing';
import { beforeAll, expect, it } from '@jest/globals';
import { everythingStored, logNoSlowCommands } from '../support/everything-stored.ts';
import { newPartner } from '../support/operator.ts';
import { createPersonBrowser, signInWithBrowser } from '../support/person-browser.ts';
import { readCalendars } from '../support/read-calendars.ts';
import { invitationTo } from '../support/staff.ts';
import { type DevFile, describeOwnSystem, type System, sharedSystemOfProcesses } from '../support/system.ts';

const evidence = 'Request for Additional Evidence Was Sent';
const day = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);

describeOwnSystem('the calendar of a member', () => {
  let system: System;
  let at: DevFile;
  let firm: PartnerWithKey;
  let browser: ReturnType<typeof createPersonBrowser>;
  let staffId: number;
  let receipt: string;
  let user: { id: number; email: string };
  let made: { id: number; user_case_id: string };

  beforeAll(async () => {
    system = await sharedSystemOfProcesses();
    at = system.dev();
    await logNoSlowCommands(system);
    firm = await newPartner(system.dataDir, 'Calendar Firm');
    const partner = createPartner(at, firm);
    const email = `calendar.${Date.now().toString(36)}@firm.example`;
    const { staff_member } = await succeed<{ staff_member: { id: number } }>(at, 'POST', {
      as: keyHeaders(firm),
      path: '/v1/client/staff',
      body: { email, name: 'Carla Calendar', role: 'editor' },
    });
    staffId = staff_member.id;
    browser = createPersonBrowser(at);
    const entered = await browser.post('/console/invitation', { token: await invitationTo(at, email) });
    expect(entered.status).toBe(303);
    user = await partner.verifiedUser({ name: 'Zacharias Quill' });
    receipt = newReceipt();
    await setReceipt(at, receipt, titled(evidence));
    const { id } = await partner.newCase(user.id, receipt, { description: 'Private words' });
    made = { id, user_case_id: `FLOW${String(id).padStart(7, '0')}` };
  });

  const note = (body: object) =>
    succeed(at, 'PUT', { as: keyHeaders(firm), path: `/v1/client/cases/${made.id}`, body });

  /** The path of a new address, from the only page that shows it. */
  async function address(): Promise<string> {
    const { status, text } = await browser.post('/console/sessions/calendar', {});
    expect(status).toBe(200);
    return /\/v1\/calendar\/[\w-]{43}\.ics/.exec(text)?.[0] ?? '';
  }
  async function read(path: string) {
    const response = await fetch(at.gateway_url + path);
    return { status: response.status, headers: response.headers, text: await response.text() };
  }

  /** What tells of a person, a form or a status. */
  function privateWordsIn(calendar: string): string[] {
    const words = ['zacharias', 'quill', 'private', receipt.toLowerCase(), 'i-130', 'evidence', 'request'];
    const ofMember = ['carla', user.email];
    return [...words, ...ofMember].filter((word) => calendar.toLowerCase().includes(word));
  }

  it('shows the answers that are due, moves them, drops what is done, and says nothing of people', async () => {
    expect((await browser.get('/console/sessions')).text).toContain('Make an address');
    const path = await address();
    expect((await browser.get('/console/sessions')).text).not.toContain(path);
    await note({ respond_by: day(20), reference: '2024-118' });
    const first = await read(path);
    expect([first.status, first.headers.get('content-type')]).toEqual([200, 'text/calendar; charset=utf-8']);
    expect(first.headers.get('cache-control')).toBe('no-store');
    expect(first.text).toContain('SUMMARY:Answer due · 2024-118\r\n');
    expect(first.text).toContain(`DTSTART;VALUE=DATE:${day(20).replaceAll('-', '')}\r\n`);
    expect(first.text).toContain(`/console/cases/${made.user_case_id}`);
    expect(privateWordsIn(first.text)).toEqual([]);
    const of = (text: string, name: string) => new RegExp(`^${name}:(.*)\r$`, 'm').exec(text)?.[1];
    await note({ respond_by: day(21), reference: null });
    const second = await read(path);
    expect(of(second.text, 'UID')).toBe(of(first.text, 'UID'));
    expect(Number(of(second.text, 'SEQUENCE'))).toBeGreaterThan(Number(of(first.text, 'SEQUENCE')));
    expect(second.text).toContain(`SUMMARY:Answer due · ${made.user_case_id}\r\n`);
    await note({ respond_done: true });
    expect((await read(path)).text).not.toContain('BEGIN:VEVENT');
    await note({ respond_done: false });
    expect(Number(of((await read(path)).text, 'SEQUENCE'))).toBeGreaterThan(
      Number(of(second.text, 'SEQUENCE')),
    );
    // The link needs a sign-in.
    const link = of(second.text, 'URL') ?? '';
    expect((await fetch(link, { redirect: 'manual' })).status).toBe(401);
  });

  it('is read by the icalendar of PyPI to the last word of the firm, as is the day in the calendar of a person', async () => {
    const path = await address();
    const year = new Date().getUTCFullYear();
    const last = `${year}-12-31`;
    const reference = `Süd; "118", \\7: ${'案'.repeat(40)}`;
    const other = newReceipt();
    await setReceipt(at, other, titled(evidence));
    const { id } = await createPartner(at, firm).newCase(user.id, other);
    await note({ respond_by: last, respond_done: false, reference });
    const due = { respond_by: day(30), reference: null };
    await succeed(at, 'PUT', { as: keyHeaders(firm), path: `/v1/client/cases/${id}`, body: due });
    const person = await signInWithBrowser(at, user.email);
    const own = await person.browser.get(`/cases/${made.user_case_id}/calendar`);
    expect([own.status, own.headers.get('content-type')]).toEqual([200, 'text/calendar; charset=utf-8']);
    const ofStaff = await read(path);
    expect(privateWordsIn(ofStaff.text + own.text)).toEqual([]);
    const calendars = await readCalendars([ofStaff.text, own.text]);
    if (calendars === null) return;
    expect(calendars.map(({ version, errors }) => [version, errors])).toEqual([
      ['2.0', []],
      ['2.0', []],
    ]);
    // In the order of their cases.
    const [staff, people] = calendars.map(({ entries }) =>
      entries.toSorted((one, two) => one.uid.localeCompare(two.uid)),
    );
    const whole = { begins: ['date', last], ends: ['date', `${year + 1}-01-01`] };
    const stamped = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+00:00$/);
    const common = { stamped, sequence: expect.any(Number) };
    const url = expect.stringMatching(new RegExp(`^http.*/console/cases/${made.user_case_id}$`));
    expect(staff).toEqual([
      { ...common, ...whole, summary: `Answer due · ${reference}`, url, uid: expect.stringContaining('@') },
      expect.objectContaining({
        ...{ ...common, begins: ['date', day(30)], ends: ['date', day(31)] },
        summary: expect.stringMatching(/^Answer due · FLOW\d{7}$/),
      }),
    ]);
    expect(people).toEqual([
      {
        ...{ ...whole, stamped, summary: 'Reply to USCIS: see your case', sequence: null, url: null },
        uid: expect.stringContaining(made.user_case_id),
      },
    ]);
  });

  it('has one answer for an address that never was and one that ended; its secret stands nowhere', async () => {
    const ended = await address();
    const open = await address();
    const never = `/v1/calendar/${'x'.repeat(43)}.ics`;
    const answers = await Promise.all([ended, never, '/v1/calendar/x.ics', `${open}x`].map(read));
    const shapes = answers.map(({ status, text }) => {
      const { request_id: _, instance: _of, ...body } = JSON.parse(text) as Record<string, unknown>;
      return { status, body };
    });
    for (const shape of shapes) expect(shape).toEqual({ ...shapes[0], status: 404 });
    expect((await read(open)).status).toBe(200);
    for (const method of ['POST', 'PUT', 'DELETE'])
      expect((await send(at, method, { path: open })).status).toBeGreaterThanOrEqual(404);
    await succeed(at, 'PUT', {
      as: keyHeaders(firm),
      path: `/v1/client/staff/${staffId}`,
      body: { status: 'disabled' },
    });
    await waitFor(async () => (await read(open)).status === 404, { timeoutMs: 30_000, what: 'the end' });
    const places = await everythingStored(system);
    const logs = places.filter(({ name }) => name.startsWith('log gateway')).map(({ text }) => text);
    // The route is there, the path is not.
    expect(logs.join('')).toContain('/v1/calendar/:file');
    for (const path of [ended, open]) {
      const secret = path.slice('/v1/calendar/'.length, -'.ics'.length);
      const found = places.filter(({ text }) => text.includes(secret)).map(({ name }) => name);
      expect(found).toEqual([]);
    }
  });
});

describeOwnSystem('npm start', () => {
  it('prints the owner, the editor and the viewer of the demonstration, who sign in with a code of the mail catcher', async () => {
    const system = await sharedSystemOfProcesses();
    const at = system.dev();
    const line = /^ +(owner|editor|viewer) +(\S+@\S+)$/gm;
    const members = await waitFor(
      () => {
        const found = [...readFileSync(join(system.dataDir, 'start.log'), 'utf8').matchAll(line)];
        return found.length === 3 && found.map(([, role = '', email = '']) => ({ role, email }));
      },
      { timeoutMs: 60_000, what: 'the lines of the members' },
    );
    for (const { role, email } of members) {
      const browser = createPersonBrowser(at);
      expect((await browser.post('/console/sign-in', { email })).status).toBe(200);
      const code = await inMail(at, email, codePattern);
      const entered = await browser.post('/console/sign-in/code', { email, code });
      expect([email, entered.status, entered.location]).toEqual([email, 303, '/console']);
      // Only an owner sees the members; a viewer adds nobody.
      const statuses = [];
      for (const path of ['/console/cases', '/console/users/new', '/console/staff'])
        statuses.push((await browser.get(path)).status);
      const [editor, owner] = [role === 'viewer' ? 403 : 200, role === 'owner' ? 200 : 403];
      expect([role, ...statuses]).toEqual([role, 200, editor, owner]);
    }
  });
});
