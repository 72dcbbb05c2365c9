import { randomUUID } from 'node:crypto';
import type {
  AuditRecord,
  EventData,
  ImportedPerson,
  Person,
  Principal,
  ReplyInput,
  RequestData,
} from '@casewatch/contracts';
import { ApiError } from '@casewatch/platform';
import { waitFor } from '@casewatch/testing';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { receipt, statusUpdated, user } from '../../test/support/fixtures.ts';
import { type Cases, startTestCases } from '../../test/support/start-cases.ts';

type Question = RequestData<'identity.upsert_person'>;
type Reply = ReplyInput<'identity.upsert_person'>;
type Answered = Omit<Reply, 'code' | 'message'>;
type Import = Record<'id' | 'rows' | 'waiting' | 'created' | 'unchanged' | 'refused', number> & {
  state: string;
};
type Row = {
  row: number;
  outcome: string;
  code: string | null;
  message: string | null;
  user_id: number | null;
};

const head = ['receipt_number', 'email', 'name', 'uscis_access_acknowledged'] as const;
type Column = (typeof head)[number] | 'description' | 'phone' | 'reference' | 'assignee_email';
type Line = Partial<Record<Column, string>>;

const monitorStatus = {
  upstream: 'open' as const,
  sending: true,
  paused: false,
  freshness: null,
  capacity: null,
  watched_receipts: 0,
  used_today: 0,
  daily_budget: 1,
  as_of: '2026-11-21T12:00:00.000Z',
};

const importer = (id = 1): Principal => ({
  kind: 'partner',
  partner_id: id,
  key_id: `key-${id}`,
  scopes: ['cases:read', 'cases:write', 'users:read', 'users:write'],
});

describe('the rows of an import', () => {
  let cases: Cases;
  let n = 700;
  let lastPerson = 500;
  const someone = () => `import.${randomUUID()}@example.test`;
  const nextReceipt = () => {
    n += 1;
    return receipt(n);
  };

  /** Who is in identity, by partner and address, and what it answered under each key. */
  const people = new Map<string, Person>();
  const answers = new Map<string, Answered>();
  let acceptsNewCases = true;
  /** Asked before identity answers; an answer or an error of it goes out instead. */
  let instead: (question: Question) => Reply | null = () => null;

  /** Identity as far as imports ask it: nobody is made twice, and what was answered under a key is answered again. */
  async function upsert(question: Question): Promise<Reply> {
    const other = instead(question);
    if (other) return other;
    const says = { code: null, message: null };
    const kept = answers.get(question.key);
    if (kept) return { ...kept, ...says };
    const place = `${question.partner_id} ${question.person.email}`;
    const known = people.get(place);
    const nobody = { user_id: null, status: 'active' as const, version: 0, name_differs: false };
    if (!question.writes && !known)
      return { outcome: question.earlier.length > 0 ? 'unchanged' : 'created', ...nobody, ...says };
    const made = known ?? make(question.partner_id, question.person);
    const fills = known !== undefined && known.phone === null && question.person.phone !== null;
    const outcome = known ? (fills ? 'updated' : 'unchanged') : 'created';
    const answer = { outcome, user_id: made.id, status: 'active', version: 1, name_differs: false } as const;
    if (!question.writes) return { ...answer, ...says };
    if ((known?.id ?? null) !== question.expected) return { ...nobody, ...says, outcome: 'changed' };
    if (fills) made.phone = question.person.phone;
    answers.set(question.key, answer);
    return { ...answer, ...says };
  }

  function make(
    partner_id: number,
    { email, name, phone }: Pick<ImportedPerson, 'email' | 'name' | 'phone'>,
  ) {
    lastPerson += 1;
    const made = user(lastPerson, { partner_id, email, name, phone });
    people.set(`${partner_id} ${email}`, made);
    cases.users.set(made.id, made);
    return made;
  }

  const started = async (lines: readonly Line[], { query = '', as = importer() } = {}) => {
    const rows = lines.map((line) => ({ name: 'Ana', uscis_access_acknowledged: 'x', ...line }));
    const { status, body } = await cases.call('POST', `/v1/client/imports${query}`, { as, body: { rows } });
    expect([status, body.code]).toEqual([202, undefined]);
    return (body.import as Import).id;
  };
  const importOf = async (id: number, as = importer()) =>
    (await cases.call('GET', `/v1/client/imports/${id}`, { as })).body.import as Import;
  /** Its counts stay: nothing of it changes any more. */
  const isSettled = async (id: number) =>
    (await cases.db.collection<{ _id: number }>('imports').findOne({ _id: id, counts: { $ne: null } })) !==
    null;
  const rowsOf = async (id: number, as = importer()) =>
    (await cases.call('GET', `/v1/client/imports/${id}/rows?limit=100`, { as })).body.rows as Row[];
  async function ended(id: number, as = importer()): Promise<Row[]> {
    await waitFor(() => isSettled(id), { timeoutMs: 60_000 });
    return await rowsOf(id, as);
  }
  const run = async (lines: readonly Line[], query = '') => await ended(await started(lines, { query }));
  const both = async (lines: readonly Line[]) => {
    const trial = outcomes(await run(lines, '?dry_run=true'));
    const rows = await run(lines);
    expect(outcomes(rows)).toEqual(trial);
    return rows;
  };
  const outcomes = (rows: readonly Row[]) => rows.map(({ outcome, code }) => [outcome, code]);
  const casesOf = async (email: string) => {
    const filter = { user_id: people.get(`1 ${email}`)?.id ?? 0 };
    return await cases.db.collection('cases').find(filter).sort({ _id: 1 }).toArray();
  };
  const textsOf = async (email: string) =>
    (await casesOf(email)).map(({ active, description }) => [active, description]);

  beforeAll(async () => {
    cases = await startTestCases();
    cases.identity.bus.serve('identity.upsert_person', upsert);
    cases.monitor.bus.serve('monitor.status', async () => ({
      ...monitorStatus,
      accepts_new_cases: acceptsNewCases,
    }));
    await Promise.all([cases.identity, cases.monitor].map(({ bus }) => bus.connection.flush()));
    const member = { partner_id: 1, name: 'Gone', removed_at: null };
    cases.members.set(21, { ...member, status: 'disabled', email: 'gone@firm.example.test' });
    cases.members.set(22, { ...member, status: 'active', email: 'here@firm.example.test' });
  });
  afterAll(async () => await cases.stop());
  afterEach(() => {
    instead = () => null;
    acceptsNewCases = true;
  });

  it('make nobody if the member they name has no access', async () => {
    const email = someone();
    const assignee_email = 'gone@firm.example.test';
    const rows = await both([{ receipt_number: nextReceipt(), email, assignee_email }]);
    expect(outcomes(rows)).toEqual([['refused', 'staff_not_found']]);
    expect(people.has(`1 ${email}`)).toBe(false);
  });

  it('are refused above the limit of the partner, as the dry run says, over the rounds of an import too', async () => {
    const as = importer(70);
    cases.caseLimits.set(70, 103);
    const first = someone();
    const email = (i: number) => (i === 0 || i === 129 ? first : someone());
    const lines = Array.from({ length: 130 }, (_, i) => ({ receipt_number: nextReceipt(), email: email(i) }));
    const resultOf = async (query: string) => {
      const id = await started(lines, { as, query });
      await waitFor(() => isSettled(id), { timeoutMs: 120_000 });
      const rows = await cases.db
        .collection('import_rows')
        .find({ import_id: id })
        .sort({ row: 1 })
        .toArray();
      return rows.map(({ outcome, code }) => [outcome, code]);
    };
    const trial = await resultOf('?dry_run=true');
    const known = people.size;
    const created = ['created', null];
    const refused = ['refused', 'case_limit_reached'];
    // The second row of the first person comes with the first one.
    expect(trial).toEqual(lines.map((_, i) => (i < 102 || i === 129 ? created : refused)));
    expect(await resultOf('')).toEqual(trial);
    expect(await cases.db.collection('cases').countDocuments({ partner_id: 70, active: true })).toBe(103);
    // Nobody is made for a case that cannot be made.
    expect(people.size - known).toBe(102);
    // What is there already counts no more.
    const again = await resultOf('?dry_run=true');
    expect(again).toEqual(lines.map((_, i) => (i < 102 || i === 129 ? ['unchanged', null] : refused)));
  });

  it('say that their cases are checked after those that are due, and ask USCIS nothing themselves', async () => {
    const asked = cases.checks.length;
    const email = someone();
    const rows = await both([
      { receipt_number: nextReceipt(), email },
      { receipt_number: nextReceipt(), email },
    ]);
    expect(outcomes(rows)).toEqual(Array(2).fill(['created', null]));
    const ids = (await casesOf(email)).map(({ _id }) => Number(_id));
    const created = await waitFor(
      () => {
        type Created = EventData<'case.created'>;
        const all = cases.events
          .filter(({ type }) => type === 'case.created')
          .map(({ data }) => data as Created);
        const ours = all.filter((event) => ids.includes(event.case.id));
        return ours.length === 2 && ours;
      },
      { what: 'the events of both', timeoutMs: 60_000 },
    );
    for (const event of created)
      expect(event).toMatchObject({
        first_check: 'deferred',
        baseline: null,
        watched: true,
        respond_by: null,
      });
    expect(cases.checks.length).toBe(asked);
  });

  it('are refused with the reason for which identity makes nobody', async () => {
    const message = 'This account is suspended.';
    instead = ({ writes }) => {
      if (!writes) return null;
      const nobody = { user_id: null, status: 'inactive', version: 0, name_differs: false } as const;
      return { outcome: 'refused', code: 'partner_suspended', message, ...nobody };
    };
    const rows = await run([{ receipt_number: nextReceipt(), email: someone() }]);
    expect(rows).toMatchObject([{ outcome: 'refused', code: 'partner_suspended', message }]);
  });

  const cancel = async (id: number) =>
    expect((await cases.call('DELETE', `/v1/client/imports/${id}`, { as: importer() })).status).toBe(200);
  /** What was told of the end of an import. */
  const endsOf = async (id: number) => {
    const stored = await cases.db.collection('outbox').find({ type: 'import.finished' }).toArray();
    return stored
      .map(({ body }) => (JSON.parse(body) as { data: EventData<'import.finished'> }).data)
      .filter(({ import_id }) => import_id === id);
  };
  /** Identity is away for what `when` says; true once somebody was refused by it. */
  function awayFor(when: (question: Question) => boolean) {
    let refusals = 0;
    instead = (question) => {
      if (!when(question)) return null;
      refusals += 1;
      throw new ApiError('service_unavailable');
    };
    return () => refusals > 0;
  }

  it('that have their case are completed although the import was cancelled', async () => {
    const email = someone();
    make(1, { email, name: 'Ana', phone: null });
    const wasAway = awayFor(({ writes }) => writes);
    const id = await started([
      { receipt_number: nextReceipt(), email, phone: '+12025550123' },
      { receipt_number: nextReceipt(), email, phone: '+12025550123' },
    ]);
    await waitFor(wasAway);
    await cancel(id);
    // It is not over: a row is under way.
    expect(await importOf(id)).toMatchObject({
      state: 'cancelled',
      finished_at: null,
      created: 0,
      waiting: 2,
    });
    expect(await endsOf(id)).toEqual([]);
    const cancelledAt = new Date();
    instead = () => null;
    expect(outcomes(await ended(id))).toEqual([
      ['created', null],
      ['waiting', null],
    ]);
    const { body } = await cases.call('GET', `/v1/client/imports/${id}`, { as: importer() });
    expect(body).toMatchObject({
      import: { state: 'cancelled', created: 1, waiting: 1, finished_at: expect.any(String) },
      end: { cases_asking: 0, people_unverified: 1 },
    });
    const [told, ...more] = await endsOf(id);
    expect([told, more]).toMatchObject([{ state: 'cancelled', rows: 2, created: 1, waiting: 1 }, []]);
    expect(Date.parse(String(told?.finished_at))).toBeGreaterThanOrEqual(cancelledAt.getTime());
    expect([people.get(`1 ${email}`)?.phone, await casesOf(email)]).toEqual([
      '+12025550123',
      [expect.anything()],
    ]);
  });

  it('that made their person are completed although the import was cancelled', async () => {
    const email = someone();
    let wasAway = false;
    // The person is made, and the answer is lost.
    instead = (question) => {
      if (question.person.email !== email || !(question.writes || wasAway)) return null;
      wasAway = true;
      const place = `1 ${email}`;
      const { id: user_id } = people.get(place) ?? make(1, question.person);
      const answer = { user_id, status: 'active', version: 1, name_differs: false } as const;
      answers.set(question.key, { outcome: 'created', ...answer });
      throw new ApiError('service_unavailable');
    };
    const id = await started([{ receipt_number: nextReceipt(), email }]);
    await waitFor(() => wasAway);
    await cancel(id);
    instead = () => null;
    expect(outcomes(await ended(id))).toEqual([['created', null]]);
    expect(await casesOf(email)).toHaveLength(1);
  });

  it('of an old case and of its receipt’s new one leave both as they are', async () => {
    const email = someone();
    const receipt_number = nextReceipt();
    const [old, now] = [
      { receipt_number, email, description: 'old' },
      { receipt_number, email, description: 'new' },
    ];
    await run([old]);
    const [first] = await casesOf(email);
    await cases.call('PUT', `/v1/client/cases/${first?._id}`, { body: { active: false } });
    const userId = people.get(`1 ${email}`)?.id;
    const body = { receipt_number, uscis_access_acknowledged: true, description: 'new' };
    expect((await cases.call('POST', `/v1/client/users/${userId}/cases`, { body })).status).toBe(201);
    const standing = [
      [false, 'old'],
      [true, 'new'],
    ];
    expect(await textsOf(email)).toEqual(standing);
    for (const file of [[old, now], [now, old], [old]]) {
      expect(outcomes(await both(file))).toEqual(file.map(() => ['unchanged', null]));
      expect(await textsOf(email)).toEqual(standing);
    }
    // Another text is for the one that is watched.
    expect(outcomes(await both([{ ...old, description: 'newer' }]))).toEqual([['updated', null]]);
    expect(await textsOf(email)).toEqual([
      [false, 'old'],
      [true, 'newer'],
    ]);
  });

  it('of one receipt of one person: the first alone may change texts, so the file again is unchanged', async () => {
    const email = someone();
    const receipt_number = nextReceipt();
    const file = [
      { receipt_number, email, description: 'first' },
      { receipt_number, email, description: 'second' },
      { receipt_number, email: someone(), description: 'second' },
    ];
    expect(outcomes(await both(file))).toEqual([
      ['created', null],
      ['unchanged', null],
      ['created', null],
    ]);
    for (let again = 0; again < 2; again += 1)
      expect(outcomes(await both(file))).toEqual(file.map(() => ['unchanged', null]));
    expect(await textsOf(email)).toEqual([[true, 'first']]);
    // A refused line is none.
    const next = [
      { ...file[1], uscis_access_acknowledged: 'no' },
      { ...file[1], description: 'third' },
    ];
    expect(outcomes(await both(next))).toEqual([
      ['refused', 'uscis_access_not_acknowledged'],
      ['updated', null],
    ]);
  });

  async function quotaIsUsed(): Promise<boolean> {
    const { id } = make(1, { email: someone(), name: 'Rosa', phone: null });
    const body = { receipt_number: nextReceipt(), uscis_access_acknowledged: true };
    return (await cases.call('POST', `/v1/client/users/${id}/cases`, { body })).status === 503;
  }

  it('wait for the quota before they make a case of whoever is there, and for nothing else', async () => {
    const [known, unknown] = [someone(), someone()];
    const { id } = make(1, { email: known, name: 'Ana', phone: null });
    const before = { receipt_number: nextReceipt(), email: known };
    await run([before]);
    acceptsNewCases = false;
    // The answer of before is kept for some seconds.
    await waitFor(quotaIsUsed, { timeoutMs: 60_000 });
    expect(outcomes(await run([{ ...before, description: 'more' }]))).toEqual([['updated', null]]);
    // Nobody waits for the quota to be refused.
    const assignee_email = 'gone@firm.example.test';
    expect(outcomes(await run([{ receipt_number: nextReceipt(), email: known, assignee_email }]))).toEqual([
      ['refused', 'staff_not_found'],
    ]);
    const ids = [
      await started([{ receipt_number: nextReceipt(), email: known }]),
      await started([{ receipt_number: nextReceipt(), email: unknown }]),
    ];
    // A later import of the same partner is through, so both were tried.
    expect(outcomes(await run([before]))).toEqual([['unchanged', null]]);
    for (const one of ids) expect(await importOf(one)).toMatchObject({ waiting: 1, created: 0 });
    expect(await cases.db.collection('cases').countDocuments({ user_id: id })).toBe(1);
    expect(people.has(`1 ${unknown}`)).toBe(false);
    acceptsNewCases = true;
    for (const one of ids) expect(outcomes(await ended(one))).toEqual([['created', null]]);
  });

  it('wait for no import that is stuck, of their partner or of others', async () => {
    const stuck = (question: Question) => question.person.name === 'Stuck';
    awayFor(stuck);
    const row = (name: string) => ({ receipt_number: nextReceipt(), email: someone(), name });
    const ids: number[] = [];
    for (const id of [2, 3, 4, 5, 6, 7])
      for (const as of [importer(id), importer(id)]) ids.push(await started([row('Stuck')], { as }));
    for (const id of [2, 8]) {
      const as = importer(id);
      expect(outcomes(await ended(await started([row('Ana')], { as }), as))).toEqual([['created', null]]);
    }
    // Who is cancelled does not wait for them either.
    const as = importer(7);
    const last = ids.at(-1) ?? 0;
    await cases.call('DELETE', `/v1/client/imports/${last}`, { as });
    expect(outcomes(await ended(last, as))).toEqual([['waiting', null]]);
    instead = () => null;
    for (const id of ids) await waitFor(() => isSettled(id), { timeoutMs: 60_000 });
  });

  it('wait for no person who is stuck, and those of one person keep their order', async () => {
    awayFor(({ person }) => person.name === 'Stuck');
    const [stuck, receipt_number] = [someone(), nextReceipt()];
    const rows = [
      { receipt_number, email: stuck, name: 'Stuck', description: 'first' },
      ...Array.from({ length: 9 }, () => ({
        receipt_number: nextReceipt(),
        email: someone(),
        name: 'Stuck',
      })),
      ...Array.from({ length: 110 }, () => ({ receipt_number: nextReceipt(), email: someone() })),
      { receipt_number, email: stuck, name: 'Ana', description: 'second' },
    ];
    const id = await started(rows);
    // A row behind the one that is stuck waits for it: it is of the same person.
    await waitFor(async () => (await importOf(id)).created === 110, { timeoutMs: 60_000 });
    expect(await importOf(id)).toMatchObject({ state: 'running', waiting: 11, refused: 0 });
    instead = () => null;
    await waitFor(() => isSettled(id), { timeoutMs: 60_000 });
    expect(await importOf(id)).toMatchObject({ state: 'done', created: 120, unchanged: 1 });
    expect(await textsOf(stuck)).toEqual([[true, 'first']]);
  });

  it('that have too many cells are given back with the cells that were read', async () => {
    const email = someone();
    const text = [head.join(), `${nextReceipt()},${email},Ana,x,more`].join('\n');
    const headers = { 'content-type': 'text/csv' };
    const { status, body } = await cases.call('POST', '/v1/client/imports', {
      as: importer(),
      text,
      headers,
    });
    expect([status, body.code]).toEqual([202, undefined]);
    const { id } = body.import as Import;
    expect(outcomes(await ended(id))).toEqual([['refused', 'import_unreadable']]);
    const answer = await cases.fetch('GET', `/v1/client/imports/${id}/refused.csv`, { as: importer() });
    const [, line] = (await answer.text()).split('\r\n');
    expect(line).toMatch(new RegExp(`^${receipt(n)},${email},Ana,x,.*,2,import_unreadable,.*has 5 cells`));
    expect(line).toMatch(new RegExp(`,"${receipt(n)},${email},Ana,x,more"$`));
    // The rows have names and addresses.
    const withoutPeople = {
      ...importer(),
      scopes: ['cases:read', 'cases:write', 'users:write'],
    } as Principal;
    const path = `/v1/client/imports/${id}/refused.csv`;
    const blind = await cases.fetch('GET', path, { as: withoutPeople });
    expect([blind.status, (await blind.text()).includes(email)]).toEqual([403, false]);
  });

  it.each([
    ['no bytes', ''],
    ['a mark of the order of bytes alone', '\ufeff'],
    ['blank lines', '\r\n \n\t\n'],
    ['a line of separators for Excel', 'sep=;\r\n'],
  ])('are none in a file of %s, which says that it is empty', async (_, text) => {
    const headers = { 'content-type': 'text/csv' };
    for (const path of ['/v1/client/imports', '/v1/client/imports/check']) {
      const { status, body } = await cases.call('POST', path, { as: importer(), text, headers });
      expect([path, status, body.code, body.message]).toEqual([
        path,
        400,
        'import_unreadable',
        'The file is empty.',
      ]);
    }
  });

  it('say who made and who changed a case, in the transaction that did it, and nothing of one that stays', async () => {
    const email = someone();
    const line = { receipt_number: nextReceipt(), email };
    const made = await started([line]);
    await ended(made);
    await run([line]);
    const updated = await started([{ ...line, description: 'more' }]);
    await ended(updated);
    const [{ _id: caseId, user_id } = { _id: 0, user_id: 0 }] = (await casesOf(email)) as unknown as {
      _id: number;
      user_id: number;
    }[];
    const stored = await cases.db
      .collection('outbox')
      .find({ type: 'cases.audited' })
      .sort({ _id: 1 })
      .toArray();
    const records = stored
      .flatMap(({ body }) => (JSON.parse(body) as { data: { records: AuditRecord[] } }).data.records)
      .filter(({ objects }) => objects.some(({ kind, id }) => kind === 'case' && id === String(caseId)));
    const recordOf = (id: number) =>
      expect.objectContaining({
        partner_id: 1,
        actor: { kind: 'key', id: 'key-1', console_session_id: null },
        operation: 'create_import',
        status: 202,
        network: '203.0.113.0/24',
        objects: [
          { kind: 'case', id: String(caseId) },
          { kind: 'user', id: String(user_id) },
          { kind: 'import', id: String(id) },
        ],
      });
    expect(records).toEqual([recordOf(made), recordOf(updated)]);
  });

  describe('whose person is erased', () => {
    const textOf = async (id: number) =>
      await (await cases.fetch('GET', `/v1/client/imports/${id}/refused.csv`, { as: importer() })).text();
    async function erased(userId: number, id: number, email: string): Promise<void> {
      expect(await textOf(id)).toContain(email);
      const before = await rowsOf(id);
      cases.users.delete(userId);
      await cases.identity.publish('user.deleted', { user_id: userId, partner_id: 1, version: 3 });
      await waitFor(async () => !(await textOf(id)).includes(email), { timeoutMs: 30_000 });
      const payloads = await cases.db.collection('import_rows').find({ import_id: id }).toArray();
      expect(payloads.map(({ payload }) => payload)).toEqual(before.map(() => null));
      expect((await rowsOf(id)).map(({ row, code }) => [row, code])).toEqual(
        before.map(({ row, code }) => [row, code]),
      );
    }

    it.each(['', '?dry_run=true'])('keep no cell, whatever they were refused for%s', async (query) => {
      const email = someone();
      const { id: userId } = make(1, { email, name: 'Ana', phone: null });
      const text = [
        [...head, 'phone', 'assignee_email'].join(),
        `${nextReceipt()},${email},Ana,,+12025550123,`,
        `${nextReceipt()},${email.toUpperCase()},Ana,x,+12025550123,nobody@firm.example.test`,
        `${nextReceipt()},${email},Ana,x,,,Ana Silva`,
        `EAC,${email},Ana,x,,`,
      ].join('\n');
      const headers = { 'content-type': 'text/csv' };
      const { body } = await cases.call('POST', `/v1/client/imports${query}`, {
        as: importer(),
        text,
        headers,
      });
      const { id } = body.import as Import;
      expect((await ended(id)).map(({ outcome }) => outcome)).toEqual(Array(4).fill('refused'));
      await erased(userId, id, email);
    });

    it('keep no cell if the person came after them', async () => {
      const email = someone();
      const id = await started([{ receipt_number: nextReceipt(), email, uscis_access_acknowledged: 'no' }]);
      await ended(id);
      const { id: userId } = make(1, { email, name: 'Ana', phone: null });
      const facts = { user_id: userId, partner_id: 1, version: 2, status: 'active' } as const;
      await cases.identity.publish('user.created', facts);
      const isOwned = async () => (await rowsOf(id)).some((row) => row.user_id === userId);
      await waitFor(isOwned, { timeoutMs: 30_000 });
      await erased(userId, id, email);
    });

    it('keep no cell if it happens while they are imported', async () => {
      const [made, known] = [someone(), someone()];
      const { id: userId } = make(1, { email: known, name: 'Ana', phone: null });
      // One was made for the row before a kill, and is erased; the other is erased between the question and the case.
      instead = ({ person }) => {
        const nobody = { user_id: null, status: 'inactive', version: 0, name_differs: false } as const;
        if (person.email !== made) return null;
        return {
          outcome: 'refused',
          code: 'user_not_found',
          message: 'The person was deleted meanwhile.',
          ...nobody,
        };
      };
      await cases.identity.publish('user.deleted', { user_id: userId, partner_id: 1, version: 3 });
      await waitFor(
        async () =>
          (
            await cases.db
              .collection<{ _id: number; deleted: boolean }>('user_states')
              .findOne({ _id: userId })
          )?.deleted === true,
        { timeoutMs: 30_000 },
      );
      const id = await started([
        { receipt_number: nextReceipt(), email: made },
        { receipt_number: nextReceipt(), email: known },
      ]);
      expect(outcomes(await ended(id))).toEqual([
        ['refused', 'user_not_found'],
        ['refused', 'user_not_found'],
      ]);
      const text = await textOf(id);
      expect([made, known].filter((email) => text.includes(email))).toEqual([]);
    });
  });

  describe('at the end', () => {
    type End = { cases_asking: number; people_unverified: number; people_without_mail: number };
    const endOf = async (id: number) => {
      const { status, body } = await cases.call('GET', `/v1/client/imports/${id}`, { as: importer() });
      expect(status).toBe(200);
      return body.end as End | null;
    };
    const send = async (id: number, as = importer()) => {
      const path = `/v1/client/imports/${id}/send-verifications`;
      const { status, body } = await cases.call('POST', path, { as, body: {} });
      return { status, code: body.code, sent: body.sent, left: body.left, next_at: body.next_at };
    };
    /** What identity was told to send; `placesLeft`: how many more it sends within the hour. */
    const commands: RequestData<'identity.send_verifications'>[] = [];
    let placesLeft = Number.POSITIVE_INFINITY;
    const next_at = '2026-11-28T12:00:00.000Z';
    beforeAll(async () => {
      cases.identity.bus.serve('identity.send_verifications', async (command) => {
        commands.push(command);
        const sent = Math.min(placesLeft, command.user_ids.length);
        placesLeft -= sent;
        const left = command.user_ids.length - sent;
        return { sent, left, next_at: left > 0 ? next_at : null };
      });
      await cases.identity.bus.connection.flush();
    });
    afterEach(() => {
      commands.length = 0;
      placesLeft = Number.POSITIVE_INFINITY;
    });

    it('say how many of their cases ask for an answer, and how many of their people have not verified, as of now', async () => {
      const [ana, luis] = [someone(), someone()];
      // Neither is of the import.
      await run([{ receipt_number: nextReceipt(), email: someone() }]);
      const id = await started([
        { receipt_number: nextReceipt(), email: ana },
        { receipt_number: nextReceipt(), email: ana },
        { receipt_number: nextReceipt(), email: luis },
        { receipt_number: nextReceipt(), email: someone(), uscis_access_acknowledged: '' },
      ]);
      await ended(id);
      expect(await endOf(id)).toEqual({ cases_asking: 0, people_unverified: 2, people_without_mail: 2 });
      const [first] = await casesOf(ana);
      const of = {
        id: Number(first?._id),
        user_case_id: `FLOW${String(first?._id).padStart(7, '0')}`,
        receipt_number: String(first?.receipt_number),
        user_id: Number(first?.user_id),
        partner_id: 1,
      };
      const asking = {
        status_code: 'Request for Additional Evidence Was Sent',
        status_slug: 'request_for_additional_evidence_was_sent',
        category: 'evidence',
      };
      const event = statusUpdated(of, { observation: 1, kind: 'baseline', ...asking }, 'baseline');
      await cases.monitor.publish('status.updated', { ...event, previous_status_code: null });
      await waitFor(async () => (await endOf(id))?.cases_asking === 1, { timeoutMs: 30_000 });
      const body = { respond_done: true };
      const done = await cases.call('PUT', `/v1/client/cases/${of.id}`, { as: importer(), body });
      expect(done.status).toBe(200);
      expect(await endOf(id)).toEqual({ cases_asking: 0, people_unverified: 2, people_without_mail: 2 });
      cases.setIdentityAway();
      expect(await endOf(id)).toBeNull();
      cases.setIdentityAway(false);
      await cases.db.collection('import_rows').deleteMany({ import_id: id });
      expect(await endOf(id)).toBeNull();
    });

    it('say nothing of a dry run, or before the end, and then send nothing', async () => {
      const email = someone();
      await run([{ receipt_number: nextReceipt(), email }]);
      const trial = await started([{ receipt_number: nextReceipt(), email }], { query: '?dry_run=true' });
      expect(outcomes(await ended(trial))).toEqual([['created', null]]);
      expect(await endOf(trial)).toBeNull();
      expect(await send(trial)).toMatchObject({ status: 200, sent: 0, left: 0, next_at: null });
      const wasAway = awayFor(() => true);
      const id = await started([{ receipt_number: nextReceipt(), email }]);
      await waitFor(wasAway);
      expect(await endOf(id)).toBeNull();
      expect(await send(id)).toMatchObject({ status: 200, sent: 0, left: 0 });
      instead = () => null;
      await ended(id);
      expect(commands).toEqual([]);
    });

    it('send mails to their people, some at a time, and say how many are left once the hour is full', async () => {
      const lines = Array.from({ length: 45 }, () => ({ receipt_number: nextReceipt(), email: someone() }));
      const id = await started([...lines, ...lines.slice(0, 5)]);
      await ended(id);
      const ids = lines.map(({ email }) => people.get(`1 ${email}`)?.id);
      expect(await send(id)).toMatchObject({ status: 200, sent: 45, left: 0, next_at: null });
      expect(commands.map(({ user_ids }) => user_ids.length)).toEqual([20, 20, 5]);
      expect(new Set(commands.flatMap(({ user_ids }) => user_ids))).toEqual(new Set(ids));
      const { created_at } = (await cases.db
        .collection<{ _id: number }>('imports')
        .findOne({ _id: id })) as unknown as { created_at: Date };
      const since = created_at.toISOString();
      for (const command of commands) expect(command).toMatchObject({ partner_id: 1, since });
      placesLeft = 23;
      commands.length = 0;
      expect(await send(id)).toMatchObject({ status: 200, sent: 23, left: 22, next_at });
      expect(commands).toHaveLength(2);
    });

    it('send none for others: another firm, a key without users:write, a member who only reads', async () => {
      const id = await started([{ receipt_number: nextReceipt(), email: someone() }]);
      await ended(id);
      expect(await send(id, importer(2))).toMatchObject({ status: 404, code: 'import_not_found' });
      const withoutUsers = { ...importer(), scopes: ['cases:write'] } as Principal;
      expect(await send(id, withoutUsers)).toMatchObject({ status: 403, code: 'insufficient_scope' });
      const viewer = { ...importer(), staff_id: 9, role: 'viewer', scopes: ['cases:read'] } as Principal;
      expect(await send(id, viewer)).toMatchObject({ status: 403 });
      cases.setIdentityAway();
      expect(await send(id)).toMatchObject({ status: 503, code: 'service_unavailable' });
      cases.setIdentityAway(false);
      expect(commands).toEqual([]);
    });
  });
});
