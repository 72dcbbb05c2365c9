import { randomInt, randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { createPartner, keyHeaders, newReceipt, type PartnerKeys, until } from '@casewatch/driver';
import { connectDatabase } from '@casewatch/testing';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { newPartner } from '../support/operator.ts';
import {
  type DevFile,
  describeOwnSystem,
  pidOf,
  type System,
  sharedSystemOfProcesses,
} from '../support/system.ts';

type Row = {
  row: number;
  outcome: string;
  code: string | null;
  user_id: number | null;
  case_ref: string | null;
};
type Counts = Record<'rows' | 'waiting' | 'created' | 'updated' | 'unchanged' | 'refused', number>;
type Import = Counts & { id: number; state: string };

/** 10,000 as an import may have; fewer in ordinary runs. */
const rowsOfFile = Number(process.env.KILLED_IMPORT_ROWS ?? 400);
const services = ['gateway', 'identity', 'cases', 'monitor', 'notifier', 'webhooks'] as const;

/** Longest pause between two kills, ms: the import goes on for some rows between them. */
const pauseMs = 2_000;

const head = 'receipt_number,email,name,uscis_access_acknowledged,description,reference';

function shuffled<T>(values: readonly T[]): T[] {
  return values
    .map((value) => ({ value, place: randomInt(1_000_000) }))
    .sort((a, b) => a.place - b.place)
    .map(({ value }) => value);
}

/** The firm that moves in while its machines die: each row has one outcome, each person is made once, each receipt has one case. */
describeOwnSystem('kill -9 of every service in the middle of an import', () => {
  let system: System;
  let keys: PartnerKeys;
  /** Of cases. */
  let db: Awaited<ReturnType<typeof connectDatabase>>;
  const people = Array.from({ length: Math.ceil(rowsOfFile / 3) }, () => `moved.${randomUUID()}@example.com`);
  /** Three cases for each person; each twentieth row is refused, each tenth is the row before it once more. */
  const lines: string[] = [];
  beforeAll(async () => {
    system = await sharedSystemOfProcesses();
    const env = JSON.parse(readFileSync(join(system.dataDir, 'dev-env.json'), 'utf8'));
    db = await connectDatabase(env.cases.MONGODB_URL);
    keys = await newPartner(system.dataDir, `Moving Firm ${randomUUID().slice(0, 8)}`);
    for (let i = 0; i < rowsOfFile; i += 1) {
      const before = lines.at(-1);
      const says = i % 20 === 19 ? '' : 'yes';
      const line = `${newReceipt()},${people[Math.floor(i / 3)]},Person ${Math.floor(i / 3)},${says},case ${i},M-${i}`;
      lines.push(i % 10 === 5 && before !== undefined ? before : line);
    }
  });

  afterAll(() => db.close());

  const get = async (path: string) => {
    const last = async () => {
      const answer = await createPartner(system.dev(), keys).call('GET', path);
      return answer.status === 200 && answer.body;
    };
    // While a service is away, the answer is tried again.
    return await until(last, { timeoutMs: 120_000, intervalMs: 250, what: path, retryIf: () => true });
  };

  /** Sent again with its key until an answer comes: who is cut off does not know whether the file arrived. */
  async function upload(query: string): Promise<number> {
    const key = randomUUID();
    const send = async () => {
      const response = await fetch(`${system.dev().gateway_url}/v1/client/imports${query}`, {
        method: 'POST',
        headers: { ...keyHeaders(keys), 'content-type': 'text/csv', 'idempotency-key': key },
        body: [head, ...lines].join('\r\n'),
      });
      const body = (await response.json()) as { import: Import };
      return response.status === 202 && body.import.id;
    };
    return await until(send, {
      timeoutMs: 120_000,
      intervalMs: 500,
      what: 'the upload',
      retryIf: () => true,
    });
  }

  const importOf = async (id: number) => (await get(`/v1/client/imports/${id}`)).import as Import;

  async function ended(id: number, watch: (now: Import) => void = () => undefined): Promise<Import> {
    const isDone = async () => {
      const now = await importOf(id);
      watch(now);
      return now.state === 'done' && now;
    };
    const timeoutMs = 240_000 + rowsOfFile * 200;
    return await until(isDone, { timeoutMs, intervalMs: 250, what: 'the end of the import' });
  }

  async function listed<T>(path: string, field: string): Promise<T[]> {
    const all: T[] = [];
    let cursor: string | null = null;
    do {
      const page = await get(`${path}?limit=100${cursor ? `&cursor=${cursor}` : ''}`);
      all.push(...(page[field] as T[]));
      cursor = page.next_cursor as string | null;
    } while (cursor !== null);
    return all;
  }

  const rowsOf = (id: number) => listed<Row>(`/v1/client/imports/${id}/rows`, 'rows');
  const outcomesOf = (rows: readonly Row[]) => rows.map(({ row, outcome, code }) => ({ row, outcome, code }));

  const doneRows = (id: number) =>
    db.collection('import_rows').countDocuments({ import_id: id, outcome: { $ne: 'waiting' } });

  async function kill(service: keyof DevFile['services']): Promise<void> {
    const before = pidOf(system, service);
    process.kill(before, 'SIGKILL');
    await until(async () => system.dev().services[service]?.pid !== before, {
      timeoutMs: 60_000,
      intervalMs: 100,
      what: `the restart of ${service}`,
    });
  }

  it(
    'leaves each row with one outcome, which the dry run foretold, and the file again changes nothing',
    async () => {
      const trial = await upload('?dry_run=true');
      await ended(trial);
      const foretold = outcomesOf(await rowsOf(trial));
      expect(foretold).toHaveLength(rowsOfFile);
      expect(await listed('/v1/client/users', 'users')).toEqual([]);

      const id = await upload('');
      const seen: number[] = [];
      const watch = ({ rows, waiting, created, updated, unchanged, refused }: Import) => {
        expect(waiting + created + updated + unchanged + refused).toBe(rows);
        seen.push(rows - waiting);
      };
      const end = ended(id, watch);
      let isOver = false;
      const over = end.finally(() => {
        isOver = true;
      });
      // Each once, in its part of the rows; the database says how far they are while the gateway is down, too.
      const left: Record<string, number> = {};
      const restarts: Promise<void>[] = [];
      for (const [i, service] of shuffled(services).entries()) {
        const stage = (rowsOfFile * (i + randomInt(100) / 100)) / (services.length + 1);
        const isReached = async () => (await doneRows(id)) >= stage;
        await until(isReached, {
          timeoutMs: 240_000 + rowsOfFile * 200,
          intervalMs: 20,
          what: `row ${stage}`,
        });
        left[service] = rowsOfFile - (await doneRows(id));
        restarts.push(kill(service));
      }
      await Promise.all(restarts);
      // Then as long as there are rows, each as often as it is drawn.
      const order = isOver ? [] : shuffled([...services, ...services]);
      for (const service of order) {
        await delay(randomInt(pauseMs));
        if (isOver) break;
        await kill(service);
        // The next one dies when the firm sees its import again: nobody works while everything is down.
        await importOf(id);
      }
      const { waiting, rows: count } = await over;
      expect([waiting, count]).toEqual([0, rowsOfFile]);
      // A test that killed nobody says nothing: every service died while rows were waiting.
      expect(Object.keys(left).sort()).toEqual([...services].sort());
      expect(Math.min(...Object.values(left))).toBeGreaterThan(0);
      // Progress never goes backwards.
      expect(seen).toEqual([...seen].sort((a, b) => a - b));

      const rows = await rowsOf(id);
      expect(rows.map(({ row }) => row)).toEqual(Array.from({ length: rowsOfFile }, (_, i) => i + 2));
      expect(outcomesOf(rows)).toEqual(foretold);

      const users = await listed<{ email: string }>('/v1/client/users', 'users');
      const cases = await listed<{ receipt_number: string; active: boolean }>('/v1/client/cases', 'cases');
      const good = lines.map((line) => line.split(',')).filter((cells) => cells[3] === 'yes');
      const sorted = (values: Iterable<string | undefined>) => [...new Set(values)].sort();
      expect(users.map(({ email }) => email).sort()).toEqual(sorted(good.map(([, email]) => email)));
      expect(cases.map(({ receipt_number }) => receipt_number).sort()).toEqual(
        sorted(good.map(([receipt]) => receipt)),
      );
      expect(cases.every(({ active }) => active)).toBe(true);

      const again = await upload('');
      const second = await ended(again);
      const refused = rows.filter(({ outcome }) => outcome === 'refused').length;
      expect([second.unchanged, second.refused]).toEqual([rowsOfFile - refused, refused]);
    },
    1_200_000 + rowsOfFile * 600,
  );
});
