import {
  type CheckReply,
  addressWords,
  type EventType,
  maxFound,
  type Person,
  type Principal,
  queryWords,
  type RequestData,
  type StaffPerson,
  searchWords,
} from '@casewatch/contracts';
import { ApiError, principalHeader, start } from '@casewatch/platform';
import type { Connection } from '@casewatch/platform/database';
import {
  connectDatabase,
  type Sibling,
  servePeople,
  startMongo,
  startNats,
  startSibling,
  type TestNats,
} from '@casewatch/testing';
import { cases } from '../../src/service.ts';
import { seen } from './fixtures.ts';
import { settings } from './settings.ts';

type CaseEvent = { type: EventType; data: Record<string, unknown> };
type Check = (data: RequestData<'monitor.check'>) => Promise<CheckReply>;
type Ask = {
  as?: Principal;
  body?: unknown;
  /** Sent as it is, instead of a body of JSON. */
  text?: string;
  headers?: Record<string, string>;
  /** Hangs up when it is aborted. */
  signal?: AbortSignal;
};
type Reply = { status: number; headers: Headers; body: Record<string, unknown> };

type Member = Pick<StaffPerson, 'name' | 'status' | 'removed_at'> & { partner_id: number; email?: string };

/** The real service with real siblings' ends of the bus around it. */
export type Cases = {
  users: Map<number, Person>;
  /** Staff of partners, as identity tells of them. */
  members: Map<number, Member>;
  /** Limits of active cases, by partner. */
  caseLimits: Map<number, number>;
  /** What was searched for among people. */
  searches: RequestData<'identity.find'>[];
  /** The questions about users. */
  questions: RequestData<'identity.people'>[];
  /** From now on identity refuses, as while its database is away. */
  setIdentityAway(isAway?: boolean): void;
  /** Done once identity has looked up users and before its answer goes out; null for nothing. */
  afterUserAnswer(work: (() => Promise<unknown>) | null): void;
  /** Answers `monitor.check`; tests set what it says. */
  monitorSays(check: Check): void;
  checks: RequestData<'monitor.check'>[];
  /** Every `case.*` event, as the monitor receives it. */
  events: CaseEvent[];
  nats: TestNats;
  identity: Sibling<'identity'>;
  monitor: Sibling<'monitor'>;
  notifier: Sibling<'notifier'>;
  webhooks: Sibling<'webhooks'>;
  /** The service's database, to look at what is stored. */
  db: Connection;
  call(method: string, path: string, ask?: Ask): Promise<Reply>;
  /** An answer that is no JSON. */
  fetch(method: string, path: string, ask?: Ask): Promise<Response>;
  stop(): Promise<void>;
};

export const partner = (id = 1): Principal => ({
  kind: 'partner',
  partner_id: id,
  key_id: `key-${id}`,
  scopes: ['cases:read', 'cases:write', 'check'],
});

export const endUser = (id: number, partnerId: number | null = 1): Principal => ({
  kind: 'user',
  user_id: id,
  partner_id: partnerId,
  session_id: 'session-of-a-test',
  signed_in_at: 1_795_000_000,
});

export async function startTestCases(over: Record<string, string> = {}): Promise<Cases> {
  const [mongo, nats] = await Promise.all([startMongo(), startNats()]);
  const [identity, monitor, notifier, webhooks] = await Promise.all([
    startSibling('identity', nats),
    startSibling('monitor', nats),
    startSibling('notifier', nats),
    startSibling('webhooks', nats),
  ]);
  const { env, config, sign } = settings(mongo, nats, over);
  const service = await start(cases, env);
  const db = await connectDatabase(config.MONGODB_URL);

  const users = new Map<number, Person>();
  let afterUserAnswer: (() => Promise<unknown>) | null = null;
  let isIdentityAway = false;
  const questions: Cases['questions'] = [];
  servePeople(
    identity.bus,
    (id) => users.get(id),
    async (question) => {
      if (isIdentityAway) throw new ApiError('service_unavailable');
      questions.push(question);
      await afterUserAnswer?.();
    },
  );
  const members: Cases['members'] = new Map();
  identity.bus.serve('identity.staff', async ({ partner_id, ids = [...members.keys()] }) => {
    if (isIdentityAway) throw new ApiError('service_unavailable');
    const staff = ids.flatMap((id) => {
      const member = members.get(id);
      return member?.partner_id === partner_id ? [{ id, ...member }] : [];
    });
    return { staff, has_more: false };
  });
  // Nobody whom a test knows has verified the address; none was sent a mail.
  identity.bus.serve('identity.unverified', async ({ partner_id, user_ids }) => {
    if (isIdentityAway) throw new ApiError('service_unavailable');
    const unsent = user_ids.filter((id) => users.get(id)?.partner_id === partner_id);
    return { unverified: unsent.length, unsent };
  });
  const caseLimits: Cases['caseLimits'] = new Map();
  identity.bus.serve('identity.partner', async ({ partner_id }) => {
    if (isIdentityAway) throw new ApiError('service_unavailable');
    return { email: 'office@firm.example', case_limit: caseLimits.get(partner_id) ?? null };
  });
  const searches: Cases['searches'] = [];
  identity.bus.serve('identity.find', async (search) => {
    if (isIdentityAway) throw new ApiError('service_unavailable');
    searches.push(search);
    const found = [...users.values()].filter(({ partner_id, name, email }) => {
      const words = [...searchWords([name]), ...addressWords(email)];
      const isFound = queryWords(search.q).every((ways) =>
        ways.some((word) => words.some((own) => own.startsWith(word))),
      );
      return partner_id === search.partner_id && isFound;
    });
    const user_ids = found.slice(0, maxFound).map(({ id }) => id);
    return { user_ids, more: found.length > maxFound };
  });
  const checks: Cases['checks'] = [];
  let check: Check = async () => seen();
  monitor.bus.serve('monitor.check', async (data) => {
    checks.push(data);
    return await check(data);
  });
  // Another connection may ask as soon as the server knows who answers.
  await Promise.all([identity.bus.connection.flush(), monitor.bus.connection.flush()]);
  const events: CaseEvent[] = [];
  const keep = (type: EventType) => async (data: Record<string, unknown>) => {
    events.push({ type, data });
  };
  await monitor.consume({
    'case.created': keep('case.created'),
    'case.updated': keep('case.updated'),
    'case.deleted': keep('case.deleted'),
  });

  async function ask(
    method: string,
    path: string,
    { as = partner(), body, text, headers = {}, signal }: Ask = {},
  ): Promise<Response> {
    const write = method === 'GET' ? undefined : { method, path: path.split('?', 1)[0] ?? '' };
    const principal = sign({ principal: as, address: '203.0.113.7' }, 'cases', write);
    return await fetch(`http://127.0.0.1:${service.port}${path}`, {
      method,
      headers: {
        [principalHeader]: principal,
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      ...(text !== undefined && { body: text }),
      ...(signal && { signal }),
    });
  }

  return {
    nats,
    users,
    members,
    caseLimits,
    searches,
    questions,
    setIdentityAway(isAway = true) {
      isIdentityAway = isAway;
    },
    afterUserAnswer(work) {
      afterUserAnswer = work;
    },
    monitorSays(next) {
      check = next;
    },
    checks,
    events,
    identity,
    monitor,
    notifier,
    webhooks,
    db,
    fetch: ask,
    async call(method, path, options) {
      const response = await ask(method, path, options);
      const answer = (await response.json()) as Record<string, unknown>;
      return { status: response.status, headers: response.headers, body: answer };
    },
    async stop() {
      await service.stop();
      await db.close();
      await Promise.all([identity.stop(), monitor.stop(), notifier.stop(), webhooks.stop()]);
      await nats.stop();
      await mongo.stop();
    },
  };
}
