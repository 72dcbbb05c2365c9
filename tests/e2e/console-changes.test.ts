import {
  createPartner,
  keyHeaders,
  newReceipt,
  type Partner,
  type PartnerWithKey,
  received,
  setFaults,
  setReceipt,
  succeed,
  titled,
} from '@casewatch/driver';
import { waitFor } from '@casewatch/testing';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { type Console, consoleLink, consoleWith, cookieOf, enterConsole } from '../support/console.ts';
import { newPartner } from '../support/operator.ts';
import { invitationTo } from '../support/staff.ts';
import { type DevFile, sharedSystem } from '../support/system.ts';

const wordsOf = (html: string) => html.replace(/<[^>]+>/g, ' ').replace(/\s+/g, ' ');
const evidence = 'Request for Additional Evidence Was Sent';

/** The keys of the boxes in the order of the page: the id of a change and that of its case. */
const keysIn = (html: string) =>
  [...html.matchAll(/type="checkbox" class="pick" form="act" name="ids" value="([\d.]+)"/g)].map(
    ([, key]) => key ?? '',
  );

/** The keys that the button *Undo* would send. */
const keysOfUndo = (html: string) =>
  [...html.matchAll(/type="hidden" name="ids" value="([\d.]+)"/g)].map(([, key]) => key ?? '');

describe('the changes of a firm in the console', () => {
  let at: DevFile;
  let firm: PartnerWithKey;
  let partner: Partner;
  let owner: Console;
  let viewer: Console;
  let viewerId: number;
  let user: { id: number; email: string };
  const caseOf: Record<string, { id: number; receipt: string }> = {};

  beforeAll(async () => {
    const system = await sharedSystem();
    at = system.dev();
    firm = await newPartner(system.dataDir, 'Morning Law');
    partner = createPartner(at, firm);
    ({ browser: owner } = await join('owner', 'Olivia Owens'));
    ({ browser: viewer, id: viewerId } = await join('viewer', 'Vera Vance'));
    user = await partner.verifiedUser({ name: 'Ana Silva' });
    for (const name of ['calm', 'twice', 'open']) {
      const receipt = newReceipt();
      await setReceipt(at, receipt, name === 'open' ? titled(evidence) : received);
      const { id } = await partner.newCase(user.id, receipt, { description: `The ${name} case` });
      caseOf[name] = { id, receipt };
    }
  });

  async function join(role: string, name: string): Promise<{ browser: Console; id: number }> {
    const email = `${role}.${Date.now().toString(36)}@morning.example`;
    const { staff_member } = await succeed<{ staff_member: { id: number } }>(at, 'POST', {
      as: keyHeaders(firm),
      path: '/v1/client/staff',
      body: { email, name, role },
    });
    const token = await invitationTo(at, email);
    const { headers } = await consoleWith(at, '').post('/console/invitation', { token });
    return { browser: consoleWith(at, cookieOf(headers)), id: staff_member.id };
  }

  async function pageWith(path: string, words: RegExp, timeoutMs = 60_000): Promise<string> {
    const read = async () => {
      const { text } = await owner.get(path);
      return words.test(wordsOf(text)) ? text : null;
    };
    return await waitFor(read, { timeoutMs, intervalMs: 250, what: `${words.source} at ${path}` });
  }

  const pageOf = async (name: string) => (await owner.get(`/console/cases/${caseOf[name]?.id}`)).text;
  const move = (name: string, title: string) => setReceipt(at, caseOf[name]?.receipt ?? '', titled(title));

  /** Presses a button of the form of all rows. */
  function selected(fields: Record<string, string>, ids: readonly string[]) {
    const body = new URLSearchParams(fields);
    for (const id of ids) body.append('ids', id);
    return fetch(`${at.gateway_url}/console/changes`, {
      method: 'POST',
      headers: { cookie: owner.cookie, origin: new URL(at.gateway_url).origin },
      body,
      redirect: 'manual',
    });
  }

  it('puts what is urgent on top, shows both changes of a case, and one that was open before', async () => {
    await move('calm', 'Case Was Updated To Show Fingerprints Were Taken');
    await pageWith('/console', /Fingerprints Were Taken/);
    await move('twice', 'Case Was Denied');
    await pageWith('/console', /Case Was Denied/);
    await move('twice', 'Case Was Approved');
    const page = await pageWith('/console', /Case Was Approved/);
    const words = wordsOf(page);
    expect(words).toMatch(
      /Urgent .* Ana Silva .* Case Was Denied .*I-130 .*Additional Evidence Was Sent .*I-130 already open, .* Nobody .* Other changes .* Case Was Approved .* Fingerprints Were Taken/,
    );
    expect(words).not.toMatch(/Urgent User .* Case Was Approved .* Other changes/);
    expect(keysIn(page)).toHaveLength(4);
    expect((await owner.get('/console')).text).toContain(caseOf.twice?.receipt);
  });

  it('marks a row as done, in the name of the member, and undoes it', async () => {
    const [key = ''] = keysIn((await owner.get('/console')).text);
    const done = await owner.post('/console/changes', { done: key, back: '/console?urgent=true' });
    expect(done.status).toBe(303);
    const after = (await owner.get(done.headers.get('location') ?? '')).text;
    expect(wordsOf(after)).toContain('1 change marked as done.');
    expect(after).not.toContain(`name="done" value="${key}"`);
    expect(wordsOf((await owner.get('/console?reviewed=true')).text)).toMatch(
      /Denied .* Done this minute by Olivia Owens/,
    );
    await owner.post('/console/changes', { ids: key, to: 'open' });
    expect((await owner.get('/console')).text).toContain(`name="done" value="${key}"`);
  });

  it('marks several as done, and gives the cases of several to a member or to nobody', async () => {
    const keys = keysIn((await owner.get('/console')).text);
    await selected({ to: 'assign', assignee_id: String(viewerId) }, keys);
    expect(wordsOf((await owner.get(`/console?assignee_id=${viewerId}`)).text)).toContain('Vera Vance');
    expect(wordsOf(await pageOf('twice'))).toMatch(/Assignee Vera Vance/);
    await selected({ to: 'assign', assignee_id: 'none' }, keys.slice(0, 1));
    await selected({ to: 'done' }, keys);
    expect(wordsOf((await owner.get('/console')).text)).toContain('All done');
    expect(keysIn((await owner.get('/console?reviewed=all')).text)).toHaveLength(keys.length);
  });

  it('says what is missing, and changes nothing', async () => {
    const before = (await owner.get('/console?reviewed=all')).text;
    const [key = ''] = keysIn(before);
    for (const [fields, words] of [
      [{ to: 'done' }, 'Select at least one change.'],
      [{ to: 'assign', ids: key }, 'Choose who gets the cases.'],
      [{ to: 'done', ids: 'all' }, 'This is not a change of the list.'],
      [{ reopen: '999999999.1' }, 'change'],
    ] as const) {
      const { status, text } = await owner.post('/console/changes', fields);
      expect(status).toBeGreaterThanOrEqual(400);
      expect(status).toBeLessThan(500);
      expect(wordsOf(text)).toContain(words);
    }
    expect((await owner.get('/console?reviewed=all')).text).toBe(before);
    // The filters of the list stay, and the address can be loaded again.
    const filtered = await owner.post('/console/changes', {
      to: 'done',
      back: '/console?urgent=true&reviewed=all',
    });
    expect(wordsOf(filtered.text)).toContain('Filters (2)');
    expect((await owner.get('/console/changes')).headers.get('location')).toBe('/console');
  });

  it('goes back to its own list alone', async () => {
    const [key = ''] = keysIn((await owner.get('/console?reviewed=all')).text);
    for (const back of [
      'https://evil.example/',
      '//evil.example',
      '/console/staff',
      '/consolex',
      'javascript:1',
    ]) {
      const { headers } = await owner.post('/console/changes', { reopen: key, back });
      expect(headers.get('location')).toMatch(/^\/console(\?|$)/);
    }
  });

  it('does all of it with a state of monitoring, too, alone and together with a status', async () => {
    // Nobody set this receipt: USCIS does not know it.
    const receipt = newReceipt();
    const { id } = await partner.newCase(user.id, receipt, { description: 'The unknown case' });
    const firstPage = await pageWith('/console', new RegExp(receipt), 150_000);
    const key = keysIn(firstPage).find((each) => each.endsWith(`.${id}`)) ?? '';
    expect(Number(key.split('.')[0])).toBeGreaterThan(2 ** 52);
    const isOpen = async () => (await owner.get('/console')).text.includes(`name="done" value="${key}"`);

    const done = await owner.post('/console/changes', { done: key });
    expect([done.status, await isOpen()]).toEqual([303, false]);
    const undo = keysOfUndo((await owner.get(done.headers.get('location') ?? '')).text);
    expect(undo).toEqual([key]);
    expect([(await selected({ to: 'open' }, undo)).status, await isOpen()]).toEqual([303, true]);

    const ofStatus = keysIn((await owner.get('/console?reviewed=true')).text)[0] ?? '';
    expect((await selected({ to: 'open' }, [ofStatus])).status).toBe(303);
    const both = await selected({ to: 'done' }, [key, ofStatus]);
    expect([both.status, await isOpen()]).toEqual([303, false]);
    expect(keysOfUndo((await owner.get(both.headers.get('location') ?? '')).text)).toEqual([key, ofStatus]);

    expect((await selected({ to: 'assign', assignee_id: String(viewerId) }, [key])).status).toBe(303);
    const { text } = await owner.get(`/console/cases/${id}`);
    expect(wordsOf(text)).toMatch(/Assignee Vera Vance/);
  });

  it('shows a viewer everything and lets a viewer change nothing', async () => {
    const { text, status } = await viewer.get('/console?reviewed=all');
    expect(status).toBe(200);
    expect(wordsOf(text)).toContain('Case Was Denied');
    expect(text).not.toMatch(/name="done"|name="ids"|id="act"/);
    const [key = ''] = keysIn((await owner.get('/console?reviewed=all')).text);
    expect((await viewer.post('/console/changes', { done: key })).status).toBe(403);
    const path = `/console/cases/${caseOf.calm?.id}`;
    const noted = { assignee_id: 'none', reference: 'X', description: '' };
    expect((await viewer.post(`${path}/edit`, noted)).status).toBe(403);
    expect((await viewer.post(`${path}/delete`, { confirmation: caseOf.calm?.receipt ?? '' })).status).toBe(
      403,
    );
  });

  it('shows no name to a session that may not read users', async () => {
    const asked = await succeed<{ key: PartnerWithKey }>(at, 'POST', {
      as: keyHeaders(firm),
      path: '/v1/client/keys',
      body: { name: 'Without users', scopes: ['cases:read', 'profile:read', 'keys'] },
    });
    const session = await enterConsole(at, await consoleLink(at, asked.key));
    const { text } = await session.get('/console?reviewed=all');
    expect(text).toContain('FLOW');
    expect(text).not.toContain('Ana Silva');
    expect((await session.get('/console/cases')).text).not.toContain('Ana Silva');
    const overview = wordsOf((await session.get('/console/overview')).text);
    expect(overview).toMatch(/Needs attention FLOW\d+ EAC.* Recent changes .* FLOW\d+ EAC/);
    expect(overview).not.toContain('Ana Silva');
  });

  it('undoes no review of a colleague', async () => {
    const editor = await join('editor', 'Rita Ramos');
    const [key = ''] = keysIn((await owner.get('/console?reviewed=all')).text);
    await selected({ to: 'open' }, [key]);
    expect((await editor.browser.post('/console/changes', { done: key })).status).toBe(303);
    // The page of the owner was loaded before.
    const late = await owner.post('/console/changes', { done: key });
    const { text } = await owner.get(late.headers.get('location') ?? '');
    expect([late.status, keysOfUndo(text), text.includes('marked as done')]).toEqual([303, [], false]);
    const own = await editor.browser.post('/console/changes', { done: key });
    expect(keysOfUndo((await editor.browser.get(own.headers.get('location') ?? '')).text)).toEqual([key]);
    await selected({ to: 'open' }, [key]);
  });

  it('notes no answer for a status that the open page did not show', async () => {
    const path = `/console/cases/${caseOf.open?.id}`;
    const { text } = await owner.get(path);
    const [, seen = ''] = /name="status_update_id" value="(\d+)"/.exec(text) ?? [];
    const { case: shown } = await succeed<{ case: { latest_update: { id: number } } }>(at, 'GET', {
      as: keyHeaders(firm),
      path: `/v1/client/cases/${caseOf.open?.id}`,
    });
    expect(Number(seen)).toBe(shown.latest_update.id);
    const old = { status_update_id: String(shown.latest_update.id - 1) };
    for (const [act, fields] of [
      ['/done', {}],
      ['', { respond_by: new Date(Date.now() + 86_400_000).toISOString().slice(0, 10) }],
    ] as const) {
      const { status, text: page } = await owner.post(`${path}/answer${act}`, { ...fields, ...old });
      expect([act, status]).toEqual([act, 409]);
      expect(page).toContain('The case has another status since you looked at it');
    }
    expect(wordsOf((await owner.get(path)).text)).not.toMatch(
      /Answer sent .*, said by|as your firm typed it/,
    );
    expect((await owner.post(`${path}/answer/done`, { status_update_id: seen })).status).toBe(303);
    expect((await owner.post(`${path}/answer/undone`, { status_update_id: seen })).status).toBe(303);
  });

  it('shows who looked at a change and who sent an answer, also when they have no access any more', async () => {
    const editor = await join('editor', 'Eddie Ellis');
    const [first = '', second = ''] = keysIn((await owner.get('/console?reviewed=all')).text);
    await selected({ to: 'open' }, [first, second]);
    expect((await editor.browser.post('/console/changes', { done: first })).status).toBe(303);
    const path = `/console/cases/${caseOf.open?.id}`;
    expect((await editor.browser.post(`${path}/answer/done`, {})).status).toBe(303);
    const ids = [Number(second.split('.')[0])];
    await partner.call('POST', '/v1/client/changes/review', { ids, reviewed: true });
    const staff = `/v1/client/staff/${editor.id}`;
    for (const end of [
      () => partner.call('PUT', staff, { status: 'disabled' }),
      () => partner.call('DELETE', staff),
    ]) {
      expect((await end()).status).toBe(200);
      const page = await viewer.get('/console?reviewed=true');
      expect(wordsOf(page.text)).toMatch(/Done this minute by Eddie Ellis/);
      expect(wordsOf(page.text)).toMatch(new RegExp(`Done this minute by API key ${firm.key_id} `));
      expect(wordsOf((await viewer.get(path)).text)).toMatch(/Answer sent .*, said by Eddie Ellis/);
    }
  });

  it('searches for all that its box takes', async () => {
    const { text } = await owner.get('/console');
    const most = Number(/name="q" maxlength="(\d+)"/.exec(text)?.[1]);
    expect(most).toBeGreaterThan(0);
    expect((await owner.get(`/console/cases?q=${'a'.repeat(most)}`)).status).toBe(200);
  });

  it('keeps what the firm notes about a case, and deletes a case whose receipt number is typed', async () => {
    const path = `/console/cases/${caseOf.calm?.id}`;
    const noted = { assignee_id: String(viewerId), reference: '2026-1042', description: 'Marriage' };
    const saved = await owner.post(`${path}/edit`, noted);
    expect(saved.headers.get('location')).toMatch(/\?done=saved$/);
    expect(wordsOf(await pageOf('calm'))).toMatch(
      /Assignee Vera Vance Matter number 2026-1042 Description Marriage/,
    );
    const tooLong = await owner.post(`${path}/edit`, { ...noted, reference: 'x'.repeat(65) });
    expect(tooLong.status).toBe(400);
    expect(tooLong.text).toContain('x'.repeat(65));
    expect((await owner.post(`${path}/delete`, { confirmation: 'EAC9999103403' })).status).toBe(400);
    expect((await owner.get(path)).status).toBe(200);
    await owner.post(`${path}/delete`, { confirmation: caseOf.calm?.receipt ?? '' });
    expect((await owner.get(path)).status).toBe(404);
  });

  describe('a case and its user in one form', () => {
    const typed = (fields: Record<string, string>) => ({
      name: 'José Ñíguez',
      email: `jose.${Date.now().toString(36)}@example.com`,
      preferred_language: 'es',
      receipt_number: '',
      description: 'Naturalization',
      uscis_access_acknowledged: 'on',
      idempotency_key: crypto.randomUUID(),
      ...fields,
    });
    const usersAt = async (email: string) =>
      (
        await succeed<{ users: { id: number; name: string }[] }>(at, 'GET', {
          as: keyHeaders(firm),
          path: `/v1/client/users?email=${encodeURIComponent(email)}`,
        })
      ).users;
    const add = (fields: Record<string, string>) => owner.post('/console/cases/new', fields);

    it('makes both, once however often it is sent', async () => {
      const receipt = newReceipt();
      await setReceipt(at, receipt, received);
      const fields = typed({ receipt_number: receipt });
      const [first, second] = [await add(fields), await add(fields)];
      expect(first.headers.get('location')).toMatch(/^\/console\/cases\/FLOW/);
      expect(second.headers.get('location')).toBe(first.headers.get('location'));
      expect(await usersAt(fields.email)).toMatchObject([{ name: 'José Ñíguez' }]);
    });

    it('is for the person who stands in it, also where it is sent again with another', async () => {
      // On a busy machine the form says to send it again.
      const made = async (fields: Record<string, string>) => {
        const answered = async () => {
          const answer = await add(fields);
          return answer.status === 503 ? null : answer;
        };
        const { headers } = await waitFor(answered, { timeoutMs: 60_000, what: 'an answer to the form' });
        return headers.get('location') ?? '';
      };
      const fields = typed({ receipt_number: newReceipt() });
      await setReceipt(at, fields.receipt_number, received);
      const first = await made(fields);
      const other = { ...fields, email: `other.${fields.email}`, name: 'Rosa Other' };
      const ofOther = await made(other);
      for (const [path, email] of [
        [first, fields.email],
        [ofOther, other.email],
      ] as const) {
        const [person] = await usersAt(email);
        expect((await owner.get(path)).text).toContain(`href="/console/users/${person?.id}"`);
      }
      // The person stays; the receipt number is another.
      const next = { ...other, receipt_number: newReceipt() };
      await setReceipt(at, next.receipt_number, received);
      expect((await owner.get(await made(next))).text).toContain(next.receipt_number);
    });

    it('adds another case for a user who is there, and refuses another name at the address', async () => {
      const receipt = newReceipt();
      await setReceipt(at, receipt, received);
      const same = { ...typed({ receipt_number: receipt }), name: ' ana  SILVA ', email: user.email };
      const refused = await add({ ...same, name: 'Bob Brown' });
      expect(refused.status).toBe(400);
      expect(wordsOf(refused.text)).toContain(`${user.email} is the address of Ana Silva.`);
      expect((await add(same)).status).toBe(303);
      expect(await usersAt(user.email)).toHaveLength(1);
    });

    it('makes no user where the case is refused beforehand, and says so where only the case failed', async () => {
      const wrong = typed({ receipt_number: 'EAC123' });
      const unchecked = Object.fromEntries(
        Object.entries(typed({ receipt_number: newReceipt() })).filter(
          ([name]) => name !== 'uscis_access_acknowledged',
        ),
      ) as ReturnType<typeof typed>;
      for (const fields of [wrong, unchecked]) {
        expect((await add(fields)).status).toBe(400);
        expect(await usersAt(fields.email)).toEqual([]);
      }
      const receipt = newReceipt();
      await setReceipt(at, receipt, received);
      const fields = typed({ receipt_number: receipt });
      await setFaults(at, { mode: 'status', status: 503 });
      const failed = await add(fields).finally(() => setFaults(at, { mode: 'none' }));
      expect(failed.status).toBe(503);
      expect(wordsOf(failed.text)).toContain('José Ñíguez was added, the case was not.');
      expect(await usersAt(fields.email)).toHaveLength(1);
      // As the browser sends the form of the page again, in which somebody changes a word each time.
      let { text } = failed;
      let tries = 0;
      const again = async () => {
        const idempotency_key = /name="idempotency_key" value="([^"]+)"/.exec(text)?.[1] ?? '';
        const answer = await add({ ...fields, idempotency_key, description: `Try ${++tries}` });
        ({ text } = answer);
        return answer.status === 303;
      };
      await waitFor(again, { timeoutMs: 120_000, intervalMs: 2_000, what: 'USCIS answers again' });
      expect(await usersAt(fields.email)).toHaveLength(1);
    });
  });
});
