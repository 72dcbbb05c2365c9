import { keyHeaders, send, until } from '@casewatch/driver';
import mongoose from 'mongoose';
import type { DevFile } from '../dev-files.ts';

/** What one request read in the databases of cases and identity. */
export type Profiled = {
  readonly path: string;
  /** Rows of the answer; null for one that is no list. */
  readonly rows: number | null;
  readonly docs: number;
  /** Of reads that find rows, and of counts, which read an index alone. */
  readonly keys: number;
  readonly countedKeys: number;
  readonly ms: number;
};

type Urls = { readonly identityUrl: string; readonly casesUrl: string };
type Asked = Urls & { readonly dev: Pick<DevFile, 'gateway_url' | 'partner'> & DevFile };

/** Rows of a page in these requests. */
export const perPage = 25;

const caseSorts = ['-created_at', 'created_at', '-last_checked', 'last_checked', '-changed_at', 'respond_by'];
const dayMs = 24 * 60 * 60 * 1_000;

type Get = (path: string) => Promise<Record<string, unknown>>;

/** A busy machine answers 503; what that request still reads must not count for the next. */
const patience = { timeoutMs: 60_000, intervalMs: 3_000 };

type Listed = {
  cases: {
    receipt_number: string;
    reference: string | null;
    assignee: { id: number } | null;
    user_id: number;
  }[];
};

/**
 * Asks each list of the firm with each filter in each order, searches, and the overview, and tells what mongod's profiler says of each
 * (quality.md, G10). Nobody else may use the system meanwhile.
 */
export async function profileFirm({ dev, identityUrl, casesUrl }: Asked): Promise<Profiled[]> {
  const as = keyHeaders(dev.partner);
  const get = async (path: string) => {
    const answer = await send(dev, 'GET', { as, path });
    if (answer.status !== 200 && answer.status !== 503)
      throw new Error(`GET ${path} answered ${answer.status}`);
    return answer.status === 503 ? null : (answer.body as Record<string, unknown>);
  };
  const surely: Get = (path) => until(() => get(path), { ...patience, what: `an answer of ${path}` });
  const clients = await Promise.all(
    [identityUrl, casesUrl].map((url) => new mongoose.mongo.MongoClient(url).connect()),
  );
  const databases = clients.map((client) => client.db());
  try {
    const paths = await pathsFor(surely);
    // The first of each kind opens connections and fills caches.
    for (const path of paths.slice(0, 3)) await surely(path);
    for (const db of databases) await db.command({ profile: 2 });
    const found: Profiled[] = [];
    for (const path of paths)
      found.push(await until(() => profiled(path), { ...patience, what: `an answer of ${path}` }));
    return found;
  } finally {
    for (const db of databases) await db.command({ profile: 0 });
    await Promise.all(clients.map((client) => client.close()));
  }

  async function profiled(path: string): Promise<Profiled | null> {
    const began = new Date();
    const beganMs = performance.now();
    const body = await get(path);
    if (body === null) return null;
    const ms = Math.round(performance.now() - beganMs);
    const reads: mongoose.mongo.Document[] = [];
    for (const db of databases) {
      const filter = {
        ts: { $gte: began },
        ns: /\.(cases|status_updates|users)$/,
        op: { $in: ['query', 'command', 'getmore'] },
      };
      reads.push(...(await db.collection('system.profile').find(filter).toArray()));
    }
    const sum = (field: string, isCount: boolean) =>
      reads
        .filter(({ command }) => (command?.pipeline !== undefined) === isCount)
        .reduce((total, read) => total + Number(read[field] ?? 0), 0);
    const list = Object.values(body).find((value) => Array.isArray(value));
    return {
      path,
      rows: Array.isArray(list) ? list.length : null,
      docs: sum('docsExamined', false) + sum('docsExamined', true),
      keys: sum('keysExamined', false),
      countedKeys: sum('keysExamined', true),
      ms,
    };
  }
}

async function pathsFor(get: Get): Promise<string[]> {
  const { cases } = (await get('/v1/client/cases?limit=100')) as unknown as Listed;
  const example = cases.find(({ assignee, reference }) => assignee && reference) ?? cases[0];
  if (!example) throw new Error('the firm has no case');
  const { users } = await get('/v1/client/users?limit=1');
  const [user] = users as { name: string; email: string }[];
  const at = (daysAgo: number) => new Date(Date.now() - daysAgo * dayMs).toISOString();
  const assignee = example.assignee?.id;

  const filters = [
    '',
    'active=true',
    'active=false',
    `receipt_number=${example.receipt_number}`,
    'category=denied',
    'category=received',
    'category=denied,received',
    `updated_since=${at(2)}`,
    `updated_since=${at(400)}`,
    `changed_since=${at(2)}`,
    `changed_since=${at(400)}`,
    ...['watched', 'not_found', 'rejected', 'paused', 'overdue'].map((state) => `monitoring=${state}`),
    'urgent=true',
    'urgent=false',
    `reference=${example.reference}`,
    `respond_before=${at(-14).slice(0, 10)}`,
    ...(assignee ? [`assignee_id=${assignee}`] : []),
    `user_id=${example.user_id}`,
  ];
  const searches = [
    'munoz',
    'silva ana',
    'ana',
    'eac8',
    example.receipt_number,
    '2024-1',
    'green',
    'nobody',
    user?.email,
  ];
  const qs = searches.map((text) => `q=${encodeURIComponent(text ?? '')}`);
  const changes = [
    ...['', 'urgent=true', 'urgent=false', 'reviewed=true', 'reviewed=false', 'urgent=true&reviewed=false'],
    ...['category=denied', 'category=received', 'category=denied&reviewed=false'],
    ...(assignee ? [`assignee_id=${assignee}`, `assignee_id=${assignee}&reviewed=false`] : []),
    ...[`since=${at(30)}`, `until=${at(30)}`],
  ];
  const people = [
    '',
    'status=inactive',
    'status=suspended',
    'verified=true',
    'verified=false',
    `email=${user?.email}`,
    'name=munoz',
    'name=silva%20ana',
    `created_since=${at(30)}`,
  ];
  const pages = (list: string, wanted: readonly string[], sorts: readonly string[]) =>
    wanted.flatMap((filter) =>
      sorts.map((sort) => `${list}?limit=${perPage}&sort=${sort}${filter && `&${filter}`}`),
    );
  return [
    ...pages('/v1/client/cases', filters, caseSorts),
    // Several filters together, as the overview links them.
    ...pages('/v1/client/cases', [`urgent=true&active=true&updated_since=${at(14)}`], ['-changed_at']),
    ...pages('/v1/client/cases', qs, ['-created_at', '-changed_at']),
    ...pages('/v1/client/changes', changes, ['-at', 'at']),
    ...pages('/v1/client/users', people, ['-created_at', 'created_at']),
    '/v1/client/profile',
    '/v1/client/statistics',
  ];
}

/** The table of a run, the dearest first. */
export function tableOf(found: readonly Profiled[]): string {
  const head = '  docs   keys  counted    ms  rows  request';
  const lines = found
    .toSorted((one, other) => other.docs - one.docs || other.keys - one.keys)
    .map(({ path, rows, docs, keys, countedKeys, ms }) =>
      [pad(docs, 6), pad(keys, 6), pad(countedKeys, 8), pad(ms, 5), pad(rows ?? '–', 5), ` ${path}`].join(
        ' ',
      ),
    );
  return [head, ...lines].join('\n');
}

function pad(value: number | string, width: number): string {
  return String(value).padStart(width);
}
