import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  type Answer,
  createPartner,
  keyHeaders,
  mailsTo,
  newReceipt,
  type PartnerKeys,
  send,
  until,
  verifyByMail,
} from '@casewatch/driver';
import { connectDatabase, seededRandom } from '@casewatch/testing';
import { beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { newPartner } from '../support/operator.ts';
import { acceptInvitation } from '../support/staff.ts';
import { type System, sharedSystem } from '../support/system.ts';

type Row = {
  row: number;
  outcome: string;
  code: string | null;
  message: string | null;
  user_id: number | null;
  case_ref: string | null;
};
type Counts = Record<'rows' | 'waiting' | 'created' | 'updated' | 'unchanged' | 'refused', number>;
type Import = Counts & { id: number; state: string; dry_run: boolean; finished_at: string | null };
type Options = { query?: string; key?: string };

const head = 'receipt_number,email,name,uscis_access_acknowledged,phone,description,reference';

describe('an import, through everything', () => {
  let system: System;
  let keys: PartnerKeys;
  beforeAll(async () => {
    system = await sharedSystem();
  });
  beforeEach(async () => {
    keys = await newPartner(system.dataDir, `Importing Firm ${randomUUID().slice(0, 8)}`);
  });

  const partner = () => createPartner(system.dev(), keys);
  /** As a careful client does it: what may succeed later (503) is asked again. */
  const settled = async (make: () => Promise<Answer>): Promise<Answer> => {
    const last = async () => {
      const answer = await make();
      return answer.body.retryable !== true && answer;
    };
    return await until(last, { timeoutMs: 120_000, intervalMs: 250, what: 'the answer' });
  };
  const call = (method: string, path: string, body?: unknown) =>
    settled(() => partner().call(method, path, body));
  const get = async (path: string) => (await call('GET', path)).body;
  const someone = () => `import.${randomUUID()}@example.com`;

  const upload = (lines: readonly string[], options: Options = {}) =>
    settled(() => uploadOnce(lines, options));

  async function uploadOnce(lines: readonly string[], { query = '', key }: Options): Promise<Answer> {
    const response = await fetch(`${system.dev().gateway_url}/v1/client/imports${query}`, {
      method: 'POST',
      headers: {
        ...keyHeaders(keys),
        'content-type': 'text/csv',
        ...(key !== undefined && { 'idempotency-key': key }),
      },
      body: lines.join('\r\n'),
    });
    return { status: response.status, headers: response.headers, body: await response.json() } as Answer;
  }

  async function finished(id: number): Promise<Import> {
    let before = { created: 0, updated: 0, unchanged: 0, refused: 0 };
    const ended = async () => {
      const { import: now } = (await get(`/v1/client/imports/${id}`)) as { import: Import };
      const { waiting, created, updated, unchanged, refused } = now;
      expect(waiting + created + updated + unchanged + refused).toBe(now.rows);
      // Progress never goes backwards: a row that is done stays so.
      expect(created).toBeGreaterThanOrEqual(before.created);
      expect(updated).toBeGreaterThanOrEqual(before.updated);
      expect(unchanged).toBeGreaterThanOrEqual(before.unchanged);
      expect(refused).toBeGreaterThanOrEqual(before.refused);
      before = { created, updated, unchanged, refused };
      return ['done', 'cancelled'].includes(now.state) && now;
    };
    return await until(ended, { timeoutMs: 300_000, intervalMs: 200, what: 'the end of the import' });
  }

  async function rowsOf(id: number): Promise<Row[]> {
    const rows: Row[] = [];
    let cursor: string | null = null;
    do {
      const page = await get(`/v1/client/imports/${id}/rows?limit=100${cursor ? `&cursor=${cursor}` : ''}`);
      rows.push(...(page.rows as Row[]));
      cursor = page.next_cursor as string | null;
    } while (cursor !== null);
    return rows;
  }

  async function run(lines: readonly string[], query = ''): Promise<{ ended: Import; rows: Row[] }> {
    const { status, body } = await upload(lines, { query });
    expect([status, body.code]).toEqual([202, undefined]);
    const { id } = body.import as Import;
    return { ended: await finished(id), rows: await rowsOf(id) };
  }

  const outcomes = (rows: readonly Row[]) => rows.map(({ row, outcome, code }) => [row, outcome, code]);
  const cases = async () => (await get('/v1/client/cases?limit=100')).cases as Record<string, unknown>[];
  const users = async () => (await get('/v1/client/users?limit=100')).users as Record<string, unknown>[];

  it('keeps the consent to WhatsApp messages that a row states, of whom, when and which text, and takes none for granted', async () => {
    const [consents, silent] = [someone(), someone()];
    const line = (email: string, ...cells: string[]) =>
      [newReceipt(), email, 'Ana', 'yes', ...cells].join(',');
    const before = Date.now();
    const { rows } = await run([
      'receipt_number,email,name,uscis_access_acknowledged,phone,notify_by_whatsapp,whatsapp_consent',
      line(consents, '+12025550123', 'yes', 'yes'),
      line(silent, '+12025550124', '', 'yes'),
      line(someone(), '+12025550125', 'yes', ''),
    ]);
    expect(outcomes(rows)).toEqual([
      [2, 'created', null],
      [3, 'created', null],
      [4, 'refused', 'validation_failed'],
    ]);
    const env = JSON.parse(readFileSync(join(system.dataDir, 'dev-env.json'), 'utf8'));
    const db = await connectDatabase(env.identity.MONGODB_URL);
    try {
      const of = (email: string) => db.collection('users').findOne({ email });
      const { id: partnerId, api_key } = keys;
      const { keys: listed } = (await get('/v1/client/keys')) as { keys: { id: string; api_key: string }[] };
      const by = `partner:${partnerId}/key:${listed.find((key) => key.api_key === api_key)?.id}`;
      const made = await of(consents);
      expect(made).toMatchObject({
        notify_by_whatsapp: true,
        whatsapp_consent: { at: expect.any(Date), by, text_version: '2026-11' },
      });
      expect(made?.whatsapp_consent.at.getTime()).toBeGreaterThanOrEqual(before);
      expect(await of(silent)).toMatchObject({ notify_by_whatsapp: false, whatsapp_consent: null });
    } finally {
      await db.close();
    }
  });

  it('makes people and cases, refuses whole rows, and the same file again is unchanged', async () => {
    const [ana, joao] = [someone(), someone()];
    const receipts = Array.from({ length: 4 }, () => newReceipt());
    const file = [
      head,
      `${receipts[0]},${ana},Ana Silva,x,,"I-130, family",M-1`,
      `${receipts[1]},${ana.toUpperCase()},ana silva,SÍ,'+12025550123,,`,
      `${receipts[2]},${ana},João Silva,sim,,,`,
      `${receipts[0]},${ana},Ana Silva,1,,,M-2`,
      `${receipts[3]},${joao},João,no,,,`,
      `EAC999,${someone()},Nobody,yes,,,`,
      `${receipts[3]},${someone()},Nobody,yes,+1202,,`,
      `${receipts[3]},${someone()},Nobody,,,,`,
    ];
    const expected = [
      [2, 'created', null],
      [3, 'created', null],
      [4, 'created', 'name_differs'],
      [5, 'unchanged', null],
      [6, 'refused', 'uscis_access_not_acknowledged'],
      [7, 'refused', 'invalid_receipt_number'],
      [8, 'refused', 'validation_failed'],
      [9, 'refused', 'uscis_access_not_acknowledged'],
    ];
    const trial = await run(file, '?dry_run=true');
    expect(outcomes(trial.rows)).toEqual(expected);
    expect(trial.ended).toMatchObject({
      state: 'done',
      dry_run: true,
      rows: 8,
      created: 3,
      unchanged: 1,
      refused: 4,
    });
    expect([await users(), await cases()]).toEqual([[], []]);

    const { ended, rows } = await run(file);
    expect(outcomes(rows)).toEqual(expected);
    expect(ended).toMatchObject({
      state: 'done',
      rows: 8,
      waiting: 0,
      created: 3,
      updated: 0,
      unchanged: 1,
      refused: 4,
    });
    expect(await users()).toEqual([
      expect.objectContaining({ email: ana, name: 'Ana Silva', phone: '+12025550123' }),
    ]);
    const made = await cases();
    expect(
      made
        .map(({ receipt_number, description, reference }) => [receipt_number, description, reference])
        .sort(),
    ).toEqual(
      [
        [receipts[0], 'I-130, family', 'M-1'],
        [receipts[1], '', null],
        [receipts[2], '', null],
      ].sort(),
    );
    const { acknowledgements } = await get(`/v1/client/cases/${rows[1]?.case_ref}/acknowledgements`);
    expect(acknowledgements).toEqual([expect.objectContaining({ import: { id: ended.id, row: 3 } })]);
    // The person of the first two rows and the case of the second one say who brought them.
    const caseId = Number(String(rows[1]?.case_ref).replace('FLOW', ''));
    for (const [object, count] of [
      [`case:${caseId}`, 1],
      [`user:${rows[1]?.user_id}`, 3 + 2],
    ] as const) {
      const recorded = async () => {
        const path = `/v1/client/audit?operation=create_import&object=${object}`;
        const { records } = (await get(path)) as { records: { objects: unknown[] }[] };
        return records.length >= count && records;
      };
      const records = await until(recorded, {
        timeoutMs: 60_000,
        intervalMs: 300,
        what: `records of ${object}`,
      });
      expect(records).toHaveLength(count);
      for (const { objects } of records)
        expect(objects).toContainEqual(expect.objectContaining({ kind: 'import', id: String(ended.id) }));
    }

    const again = await run(file.slice(0, 5));
    expect(outcomes(again.rows)).toEqual([
      [2, 'unchanged', null],
      [3, 'unchanged', null],
      [4, 'unchanged', 'name_differs'],
      [5, 'unchanged', null],
    ]);
    expect(await cases()).toHaveLength(3);
  }, 400_000);

  it('changes nothing of a person who exists, and clears nothing', async () => {
    const email = someone();
    const made = await call('POST', '/v1/client/users', {
      email,
      name: 'Ana Silva',
      phone: '+12025550100',
      preferred_language: 'pt',
    });
    const { id } = made.body.user as { id: number };
    const receipt = newReceipt();
    const columns = `${head},preferred_language,notify_by_email,notify_by_whatsapp,whatsapp_consent`;
    const { rows } = await run([
      columns,
      `${receipt},${email},Other,x,+12025550199,d,r,es,no,yes,yes`,
      `${receipt},${email},Other,x,,,,,,,`,
    ]);
    expect(outcomes(rows)).toEqual([
      [2, 'created', 'name_differs'],
      [3, 'unchanged', 'name_differs'],
    ]);
    const { user } = await get(`/v1/client/users/${id}`);
    expect(user).toMatchObject({
      name: 'Ana Silva',
      phone: '+12025550100',
      preferred_language: 'pt',
      notify_by_email: true,
      notify_by_whatsapp: false,
    });
    expect(await cases()).toEqual([expect.objectContaining({ description: 'd', reference: 'r' })]);
  }, 400_000);

  it('refuses a whole row for a person who may have no more cases, and makes nobody for it', async () => {
    const [email, inactive] = [someone(), someone()];
    const made = await call('POST', '/v1/client/users', { email: inactive, name: 'Old' });
    const { id } = made.body.user as { id: number };
    await call('PUT', `/v1/client/users/${id}`, { status: 'inactive' });
    const file = [
      head,
      ...Array.from({ length: 52 }, () => `${newReceipt()},${email},Ana,x,,,`),
      `${newReceipt()},${inactive},Old,x,+12025550123,,`,
    ];
    const trial = await run(file, '?dry_run=true');
    const { rows, ended } = await run(file);
    expect(outcomes(rows)).toEqual(outcomes(trial.rows));
    expect(ended).toMatchObject({ created: 50, refused: 3 });
    expect(outcomes(rows).slice(50)).toEqual([
      [52, 'refused', 'case_limit_reached'],
      [53, 'refused', 'case_limit_reached'],
      [54, 'refused', 'user_not_active'],
    ]);
    expect((await get(`/v1/client/users/${id}`)).user).toMatchObject({ phone: null });
  }, 400_000);

  it('gives back what it exported as unchanged, and tells its end', async () => {
    const [ana, luis] = [someone(), someone()];
    const texts = ["'=1+1", '=HYPERLINK("http://x.example")', '-5', 'two, "quoted"', '＋1', "'tis"];
    const file = [
      `${head},preferred_language`,
      ...texts.map((text, i) => {
        const cell = `"${text.replaceAll('"', '""')}"`;
        return `${newReceipt()},${i % 2 ? luis : ana},${i % 2 ? 'Luís' : 'Ana'},x,'+12025550123,${cell},M-${i},pt`;
      }),
    ];
    const first = await run(file);
    expect(first.ended).toMatchObject({ created: texts.length, refused: 0 });
    const exported = await fetch(`${system.dev().gateway_url}/v1/client/cases.csv`, {
      headers: keyHeaders(keys),
    });
    expect([exported.status, exported.headers.get('content-type')]).toEqual([200, 'text/csv; charset=utf-8']);
    const again = await run([await exported.text()]);
    expect(outcomes(again.rows)).toEqual(texts.map((_, i) => [i + 2, 'unchanged', null]));
    // What an import takes for an apostrophe of an export is one.
    expect(new Set((await cases()).map(({ description }) => description))).toEqual(
      new Set(texts.map((text) => text.replace(/^'=/, '='))),
    );
    const told = async () => {
      const { events } = (await get('/v1/events?type=import.finished')) as { events: { data: unknown }[] };
      return events.length === 2 && events.map(({ data }) => data);
    };
    const data = await until(told, { timeoutMs: 60_000, intervalMs: 500, what: 'two ends of imports' });
    expect(data).toContainEqual({
      import: expect.objectContaining({
        id: first.ended.id,
        state: 'done',
        created: texts.length,
        waiting: 0,
      }),
    });
  }, 400_000);

  it('gives back the refused rows as they were sent, with a column that says why', async () => {
    const email = someone();
    const receipt = newReceipt();
    const { ended } = await run([
      head,
      `${receipt},${email},Ana,no,,"a, b",M-1`,
      `${newReceipt()},${email},Ana,x,,,`,
    ]);
    const path = `/v1/client/imports/${ended.id}/refused.csv`;
    const answer = await fetch(system.dev().gateway_url + path, { headers: keyHeaders(keys) });
    const text = await answer.text();
    const [, line] = text.split('\r\n');
    expect(line).toContain(`${receipt},${email},Ana,no,`);
    expect(line).toMatch(/"a, b",M-1,,2,uscis_access_not_acknowledged,/);
    const corrected = text.replace(',Ana,no,', ',Ana,yes,');
    const { rows } = await run([corrected]);
    expect(outcomes(rows)).toEqual([[2, 'created', null]]);
  }, 400_000);

  it('forgets the cells of a refused row with its person', async () => {
    const email = someone();
    const { id } = (await call('POST', '/v1/client/users', { email, name: 'Ana' })).body.user as {
      id: number;
    };
    await call('PUT', `/v1/client/users/${id}`, { status: 'inactive' });
    // One is refused for the person, one for its cells, and one cannot be read.
    const { ended, rows } = await run([
      head,
      `${newReceipt()},${email},Ana,x,,,`,
      `${newReceipt()},${email.toUpperCase()},Ana,,+12025550123,,`,
      `${newReceipt()},${email},Silva, Ana,x,,,M-1`,
    ]);
    const codes = ['user_not_active', 'uscis_access_not_acknowledged', 'import_unreadable'];
    expect(rows).toEqual(codes.map((code) => expect.objectContaining({ code, user_id: id })));
    const path = `/v1/client/imports/${ended.id}/refused.csv`;
    const file = async () =>
      await (await fetch(system.dev().gateway_url + path, { headers: keyHeaders(keys) })).text();
    expect(await file()).toContain(email);
    await call('DELETE', `/v1/client/users/${id}`);
    const forgotten = async () => {
      const text = await file();
      return !text.toLowerCase().includes(email) && text;
    };
    const left = await until(forgotten, { timeoutMs: 60_000, intervalMs: 300, what: 'the erasure' });
    expect(left).toContain(',2,user_not_active,');
    for (const cell of ['Ana', 'Silva', '+12025550123']) expect(left).not.toContain(cell);
    expect(await rowsOf(ended.id)).toEqual(
      codes.map((code, i) => expect.objectContaining({ row: i + 2, code, user_id: null })),
    );
    expect((await get(`/v1/client/imports/${ended.id}`)).import).toMatchObject({ rows: 3, refused: 3 });
  }, 400_000);

  it.each([1, 2, 3])(
    'is foretold by its dry run, row by row, however odd the rows are: seed %i',
    async (seed) => {
      const [here, gone] = [someone(), someone()];
      const emails = Array.from({ length: 10 }, someone);
      for (const [name, email] of [
        ['Here', here],
        ['Gone', gone],
      ] as const) {
        await call('POST', '/v1/client/staff', { name, email, role: 'viewer' });
        // An answer may be lost on a busy machine, and the repetition says that the address is there.
        const { staff } = (await get('/v1/client/staff')) as { staff: { id: number; email: string }[] };
        const id = staff.find((member) => member.email === email)?.id;
        if (email === here) continue;
        await acceptInvitation(system.dev(), email);
        const left = await call('PUT', `/v1/client/staff/${id}`, { status: 'disabled' });
        expect(left.status).toBe(200);
      }
      for (const [i, fields] of [{}, { phone: '+12025550199' }, {}].entries()) {
        const body = { email: emails[i], name: 'Ana Silva', send_verification: false, ...fields };
        await call('POST', '/v1/client/users', body);
        const id = (await users()).find((user) => user.email === emails[i])?.id;
        if (i === 2) await call('PUT', `/v1/client/users/${id}`, { status: 'inactive' });
      }
      const file = oddFile(seededRandom(seed), { emails, here, gone });
      const said = (rows: readonly Row[]) =>
        rows.map(({ row, outcome, code, message }) => ({ row, outcome, code, message }));
      const trial = await run(file, '?dry_run=true');
      expect([await cases(), await users()]).toMatchObject([[], [{}, {}, {}]]);
      const { rows, ended } = await run(file);
      expect(said(rows)).toEqual(said(trial.rows));
      // A file of which everything is refused, or nothing, says little.
      for (const outcome of ['created', 'unchanged', 'refused'] as const)
        expect(ended[outcome]).toBeGreaterThan(10);
      const codes = rows.map(({ code }) => code);
      for (const code of ['name_differs', 'staff_not_found', 'user_not_active', 'import_unreadable'])
        expect(codes).toContain(code);
      // The same once more: what was imported is unchanged, what was refused is refused, and both are foretold.
      const trialAgain = await run(file, '?dry_run=true');
      const again = await run(file);
      expect(said(again.rows)).toEqual(said(trialAgain.rows));
      expect(again.rows.map(({ outcome }) => outcome)).toEqual(
        rows.map(({ outcome }) => (outcome === 'refused' ? 'refused' : 'unchanged')),
      );
    },
    600_000,
  );

  it('ends with who has not verified the address, and sends each the mail once', async () => {
    const [asked, once, known] = [someone(), someone(), someone()];
    const made = await call('POST', '/v1/client/users', {
      email: known,
      name: 'Known',
      send_verification: false,
    });
    expect(made.status).toBe(201);
    const mails = async (email: string) =>
      (await mailsTo(system.dev(), email)).filter(({ text }) => text?.includes('/verify-email?token='))
        .length;
    const mailed = (email: string) =>
      until(async () => (await mails(email)) > 0, {
        timeoutMs: 60_000,
        intervalMs: 300,
        what: 'a mail to verify the address',
      });
    // One gets the mail with the import itself.
    await run([head, `${newReceipt()},${asked},Ana,x,,,`], '?send_verification=true');
    await mailed(asked);
    const { ended } = await run([
      head,
      `${newReceipt()},${once},Luis,x,,,`,
      `${newReceipt()},${once},Luis,x,,,`,
      `${newReceipt()},${known},Known,x,,,`,
      `${newReceipt()},${someone()},Refused,,,,`,
    ]);
    const path = `/v1/client/imports/${ended.id}`;
    const end = async () => (await get(path)).end;
    expect(await end()).toEqual({ cases_asking: 0, people_unverified: 2, people_without_mail: 2 });
    for (const sent of [2, 0]) {
      const answer = await call('POST', `${path}/send-verifications`, {});
      expect([answer.status, answer.body]).toEqual([
        200,
        { success: true, message: expect.any(String), sent, left: 0, next_at: null },
      ]);
    }
    for (const email of [once, known]) await mailed(email);
    expect(await end()).toEqual({ cases_asking: 0, people_unverified: 2, people_without_mail: 0 });
    expect(await Promise.all([asked, once, known].map(mails))).toEqual([1, 1, 1]);
    // A verified one is done with.
    await verifyByMail(system.dev(), once, { timeoutMs: 60_000, intervalMs: 300 });
    expect(await end()).toMatchObject({ people_unverified: 1, people_without_mail: 0 });
    const recorded = async () => {
      const { records } = await get('/v1/client/audit?operation=send_import_verifications');
      return (records as { objects: unknown[] }[]).length === 2 && records;
    };
    const records = await until(recorded, { timeoutMs: 60_000, intervalMs: 300, what: 'two records' });
    const object = { kind: 'import', id: String(ended.id) };
    expect(records).toEqual(
      [1, 2].map(() => expect.objectContaining({ status: 200, objects: [expect.objectContaining(object)] })),
    );
  }, 400_000);

  it('takes JSON, and a repeated Idempotency-Key for the same file and query alone', async () => {
    const row = {
      receipt_number: newReceipt(),
      email: someone(),
      name: 'Ana',
      uscis_access_acknowledged: true,
    };
    const json = await call('POST', '/v1/client/imports', {
      rows: [row, { ...row, uscis_access_acknowledged: false }],
    });
    expect(json.status).toBe(202);
    const { id } = json.body.import as Import;
    expect(await finished(id)).toMatchObject({ rows: 2, created: 1, refused: 1 });
    expect(outcomes(await rowsOf(id))).toEqual([
      [1, 'created', null],
      [2, 'refused', 'uscis_access_not_acknowledged'],
    ]);
    const file = [head, `${newReceipt()},${someone()},Ana,x,,,`];
    const key = randomUUID();
    const first = await upload(file, { key });
    const second = await upload(file, { key });
    expect([second.status, second.headers.get('idempotent-replayed')]).toEqual([202, 'true']);
    expect((second.body.import as Import).id).toBe((first.body.import as Import).id);
    const other = await upload(file, { key, query: '?dry_run=true' });
    expect([other.status, other.body.code]).toEqual([409, 'idempotency_key_reused']);
    const otherFile = await upload([...file, ...file.slice(1)], { key });
    expect([otherFile.status, otherFile.body.code]).toEqual([409, 'idempotency_key_reused']);
  }, 400_000);

  it('refuses what it cannot read, and what is too large', async () => {
    const xlsx = await upload(['PK\u0003\u0004']);
    expect([xlsx.status, xlsx.body.code, xlsx.body.message]).toEqual([
      400,
      'import_unreadable',
      expect.stringContaining('Excel workbook'),
    ]);
    const empty = await upload([]);
    expect([empty.status, empty.body.code, empty.body.message]).toEqual([
      400,
      'import_unreadable',
      'The file is empty.',
    ]);
    const line = `${newReceipt()},a@example.com,Ana,x,,,`;
    const tooMany = await upload([head, ...Array.from({ length: 10_001 }, () => line)]);
    expect([tooMany.status, tooMany.body.code]).toEqual([400, 'import_too_many_rows']);
    const tooLarge = await upload([head, 'x'.repeat(5 * 1024 * 1024 + 1 - head.length - 2)]);
    expect([tooLarge.status, tooLarge.body.code]).toEqual([413, 'payload_too_large']);
    expect((await get('/v1/client/imports')).imports).toEqual([]);
  }, 400_000);

  it('is cancelled, is nobody else’s, and ends only once', async () => {
    const lines = Array.from({ length: 500 }, () => `${newReceipt()},${someone()},Ana,x,,,`);
    const { body } = await upload([head, ...lines]);
    const { id } = body.import as Import;
    const cancelled = await call('DELETE', `/v1/client/imports/${id}`);
    expect([cancelled.status, (cancelled.body.import as Import).state]).toEqual([200, 'cancelled']);
    // The four rows that were being imported may still be done.
    const before = cancelled.body.import as Import;
    expect(before.created).toBeLessThan(90);
    const ended = await finished(id);
    expect(ended.waiting + ended.created).toBe(500);
    const stranger = await newPartner(system.dataDir, 'Other Firm');
    for (const method of ['GET', 'DELETE'] as const) {
      const answer = await settled(() =>
        send(system.dev(), method, {
          as: keyHeaders(stranger),
          path: `/v1/client/imports/${id}`,
        }),
      );
      expect([answer.status, answer.body.code]).toEqual([404, 'import_not_found']);
    }
    const { ended: done } = await run([head, `${newReceipt()},${someone()},Ana,x,,,`]);
    const late = await settled(() =>
      send(system.dev(), 'DELETE', {
        as: keyHeaders(keys),
        path: `/v1/client/imports/${done.id}`,
      }),
    );
    expect([late.status, late.body.code]).toEqual([409, 'import_not_cancellable']);
    // The other import ran after the last row of this one: what is counted now stays.
    const settledNow = await finished(id);
    expect(settledNow.created - before.created).toBeLessThanOrEqual(4);
    expect(settledNow.waiting + settledNow.created).toBe(500);
    expect(await cases()).toHaveLength(settledNow.created + 1);
  }, 400_000);
});

const oddRows = 200;

/** Rows of which about half are good, of ten people and two members: one is here, the other has no access any more. */
function oddFile(
  random: (below: number) => number,
  { emails, here, gone }: { emails: readonly string[]; here: string; gone: string },
): string[] {
  const receipts = Array.from({ length: 40 }, () => newReceipt());
  // What a cell may say in a row that is imported, and what refuses the row.
  const cells = {
    receipt_number: [
      [...receipts, ...receipts.map((one) => ` ${one.slice(0, 3).toLowerCase()}-${one.slice(3)}`)],
      ['EAC123', 'EACO999103403', ''],
    ],
    email: [
      [...emails, ...emails.map((one) => `  ${one.toUpperCase()} `)],
      ['no address', ''],
    ],
    name: [
      ['Ana Silva', 'ana silva', 'João', '-5'],
      ['', 'x'.repeat(121), 'a\u202Eb'],
    ],
    uscis_access_acknowledged: [
      ['x', 'SÍ', 'si', 'yes', '1', 'sim', 'TRUE'],
      ['no', '', 'maybe', 'n/a'],
    ],
    phone: [
      ['', '', "'+12025550123", '+12025550124'],
      ['+1202', '202 555 0123'],
    ],
    preferred_language: [['', 'es', 'PT'], ['fr']],
    notify_by_email: [['', 'no', 'Sí'], ['never']],
    notify_by_whatsapp: [['', '', '', 'no', 'yes'], ['perhaps']],
    whatsapp_consent: [['', 'yes', 'no'], ['perhaps']],
    description: [['', '', 'first', 'second', "'=1+1", "''=1+1", 'two, "quoted"'], ['x'.repeat(256)]],
    reference: [['', '', 'M-1', 'M-2'], ['x'.repeat(65)]],
    assignee_email: [
      ['', '', '', here, here.toUpperCase()],
      [gone, `nobody.${gone}`, 'no address'],
    ],
  } satisfies Record<string, [string[], string[]]>;
  const columns = Object.keys(cells) as (keyof typeof cells)[];
  const one = (values: readonly string[]) => values[random(values.length)] ?? '';
  const cell = (column: keyof typeof cells) => {
    const [good, odd] = cells[column];
    return `"${one(random(25) === 0 ? odd : good).replaceAll('"', '""')}"`;
  };
  const line = () => {
    if (random(40) === 0) return ','.repeat(columns.length - 1);
    const end = random(40) === 0 ? ',more' : random(20) === 0 ? ',,' : '';
    return columns.map(cell).join(',') + end;
  };
  // One row whose only fault is rare.
  const ofGone = columns.map((column) => (column === 'assignee_email' ? gone : cells[column][0][0]));
  return [columns.join(','), ...Array.from({ length: oddRows }, line), ofGone.join(',')];
}
