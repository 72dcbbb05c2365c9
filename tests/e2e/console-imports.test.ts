import { keyHeaders, newReceipt, type PartnerKeys, send, succeed, until } from '@casewatch/driver';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { consoleLink, enterConsole } from '../support/console.ts';
import { newPartner } from '../support/operator.ts';
import { createPersonBrowser, type PersonBrowser } from '../support/person-browser.ts';
import { invitationTo } from '../support/staff.ts';
import { type System, sharedSystem } from '../support/system.ts';

/** Without a script, as forms alone. */
describe('the import of a firm in the console', () => {
  let system: System;
  let keys: PartnerKeys;
  let editor: PersonBrowser;
  let viewer: PersonBrowser;
  const unique = Date.now().toString(36);
  const head = 'Receipt #,Client email,Client name,uscis_access_acknowledged,Matter number,Court';
  const receipts = [newReceipt(), newReceipt(), newReceipt()];
  const file = [
    head,
    `${receipts[0]},ana.${unique}@example.com,Ana Sílva,sí,2024-118,Miami`,
    `${receipts[1]},ana.${unique}@example.com,Ana Sílva,yes,2024-119,Miami`,
    `${receipts[2]},not an address,Luis,yes,2024-120,Miami`,
  ].join('\r\n');

  async function join(role: 'editor' | 'viewer'): Promise<PersonBrowser> {
    const email = `${role}.${unique}@moving.example`;
    const body = { email, name: `Maria ${role}`, role };
    await succeed(system.dev(), 'POST', { as: keyHeaders(keys), path: '/v1/client/staff', body });
    const browser = createPersonBrowser(system.dev());
    const { status } = await browser.post('/console/invitation', {
      token: await invitationTo(system.dev(), email),
    });
    expect(status).toBe(303);
    return browser;
  }

  beforeAll(async () => {
    system = await sharedSystem();
    keys = await newPartner(system.dataDir, `Console Moving ${unique}`);
    editor = await join('editor');
    viewer = await join('viewer');
  });

  const form = (fields: Record<string, string>) => {
    const data = new FormData();
    for (const [name, value] of Object.entries(fields)) data.append(name, value);
    return data;
  };
  const kept = Buffer.from(file, 'latin1').toString('base64');
  const columns = {
    column_0: 'receipt_number',
    column_1: 'email',
    column_2: 'name',
    column_3: 'uscis_access_acknowledged',
    column_4: 'reference',
    column_5: '',
  };
  const imports = async () =>
    (
      await succeed<{ imports: { id: number; dry_run: boolean }[] }>(system.dev(), 'GET', {
        as: keyHeaders(keys),
        path: '/v1/client/imports',
      })
    ).imports;

  it('is not for viewers', async () => {
    expect((await viewer.get('/console/imports')).status).toBe(403);
    expect((await viewer.upload('/console/imports', form({ text: file, to: 'run' }))).status).toBe(403);
    expect((await viewer.get('/console/cases')).text).not.toContain('/console/imports');
    for (const name of ['cases', 'users', 'changes'])
      expect((await viewer.get(`/console/${name}.csv`)).status).toBe(403);
  });

  it('and its files are not for whoever has a read-only link, who sees what a viewer sees', async () => {
    const guest = await enterConsole(
      system.dev(),
      await consoleLink(system.dev(), keys, { read_only: true }),
    );
    expect((await guest.get('/console/cases')).status).toBe(200);
    for (const name of ['cases', 'users', 'changes', 'imports/1/refused'])
      expect([name, (await guest.get(`/console/${name}.csv`)).status]).toEqual([name, 403]);
    const engineer = await enterConsole(system.dev(), await consoleLink(system.dev(), keys));
    expect((await engineer.get('/console/cases.csv')).status).toBe(200);
  });

  it('shows the columns, the faults in their cells and the text of the acknowledgement, and stores nothing', async () => {
    const data = form({ to: 'check' });
    // As Excel saves it: Windows-1252, whatever the browser says of the type.
    data.append(
      'file',
      new Blob([Buffer.from(file, 'latin1')], { type: 'application/vnd.ms-excel' }),
      'c.csv',
    );
    const { status, text } = await editor.upload('/console/imports', data);
    expect(status).toBe(200);
    for (const part of ['3 rows', 'Court', 'not an address', 'text 2026-11', 'Type 3, the number of rows'])
      expect(text).toContain(part);
    expect(text).toContain(`value="${kept}"`);
    expect(await imports()).toEqual([]);
  });

  it('offers the receipt numbers of any text as the beginning of a list', async () => {
    const text = `My cases are ${receipts[0]} and ${receipts[1]}, thanks`;
    const answer = await editor.upload('/console/imports', form({ text, to: 'check' }));
    expect(answer.text).toContain('2 receipt numbers found');
    expect(answer.text).toContain(`${receipts[1]}\t\t\t`);
  });

  it('maps by hand the headers of a table that has receipt numbers, and a choice stays', async () => {
    const table = file.replace(head, 'No.,Contact,Who,uscis_access_acknowledged,Matter,Court');
    const unknown = Buffer.from(table).toString('base64');
    const answer = await editor.upload('/console/imports', form({ file: unknown, to: 'check' }));
    for (const part of ['must name the columns', 'Column of Contact', `value="${unknown}"`])
      expect(answer.text).toContain(part);
    // Also where one choice is missing still.
    const { column_2: _, ...some } = columns;
    const less = await editor.upload('/console/imports', form({ file: unknown, ...some, to: 'check' }));
    expect(less.text).toContain('Column of Who');
    expect(less.text).toContain('<option value="email" selected>');
    const all = await editor.upload('/console/imports', form({ file: unknown, ...columns, to: 'check' }));
    expect(all.text).toContain('Type 3, the number of rows');
  });

  it('imports nothing without the number of rows, or with a wrong one', async () => {
    for (const count of ['', '2', '4', 'yes']) {
      const answer = await editor.upload(
        '/console/imports',
        form({ file: kept, ...columns, count, to: 'run' }),
      );
      expect([answer.status, answer.text.includes('Type 3, the number of rows, to confirm')]).toEqual([
        400,
        true,
      ]);
    }
    expect(await imports()).toEqual([]);
  });

  it('tries, imports once however often it is sent, and shows what became of each row', async () => {
    const trial = await editor.upload('/console/imports', form({ file: kept, ...columns, to: 'try' }));
    expect(trial.status).toBe(303);
    const run = { file: kept, ...columns, count: '3', to: 'run', idempotency_key: `import-${unique}` };
    const first = await editor.upload('/console/imports', form(run));
    const second = await editor.upload('/console/imports', form(run));
    expect([first.status, second.location]).toEqual([303, first.location]);
    expect((await imports()).map(({ dry_run }) => dry_run)).toEqual([false, true]);
    const path = String(first.location);
    const done = async () => {
      const { text } = await editor.get(path);
      return text.includes('>Done<') && text;
    };
    const text = await until(done, { timeoutMs: 120_000, intervalMs: 500, what: 'the end of the import' });
    expect(text).toContain('3 of 3 rows');
    expect(text).toContain('for an answer now');
    expect(text).toContain('1 person of this import has not proven their address');
    expect(text).toContain('1 of them got no e-mail that asks for it');
    expect((await viewer.post(`${path}/send-verifications`, {})).status).toBe(403);
    for (const sent of [1, 0]) {
      const answer = await editor.post(`${path}/send-verifications`, {});
      expect([answer.status, answer.location]).toEqual([303, `${path}?sent=${sent}&left=0`]);
    }
    const after = await editor.get(`${path}?sent=1&left=0`);
    expect(after.text).toContain('1 e-mail is on the way.');
    expect(after.text).toContain('0 of them got no e-mail that asks for it');
    expect(after.text).not.toContain('Send it now');
    const refused = await editor.get(`${path}/refused.csv`);
    expect([refused.status, refused.headers.get('content-disposition')]).toEqual([
      200,
      'attachment; filename="refused.csv"',
    ]);
    expect(refused.text).toContain('not an address,Luis,yes');
    const { body } = await send<{ users: { name: string }[] }>(system.dev(), 'GET', {
      as: keyHeaders(keys),
      path: '/v1/client/users',
    });
    expect(body.users.map(({ name }) => name)).toEqual(['Ana Sílva']);
  });

  it('gives the lists as files, with their filters', async () => {
    const page = await editor.get('/console/cases?reference=2024-119');
    expect(page.text).toContain('href="/console/cases.csv?reference=2024-119"');
    const answer = await editor.get('/console/cases.csv?reference=2024-119');
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/csv; charset=utf-8']);
    const lines = answer.text.trim().split('\r\n');
    expect(lines).toHaveLength(2);
    expect(lines[1]).toContain(`${receipts[1]},ana.${unique}@example.com,Ana Sílva,yes,,2024-119,`);
    const wrong = await editor.get('/console/cases.csv?respond_before=soon');
    expect([wrong.status, wrong.headers.get('content-type')]).toEqual([400, 'text/html; charset=utf-8']);
  });
});
