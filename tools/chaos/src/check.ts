/**
 * Judges a run by I1 to I8 (docs/reliability.md): from the logs of the stand-ins, the answers of callers and, at the end, the public
 * API. Databases and streams are asked for the counts of I4 alone.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { serviceNames } from '@casewatch/contracts';
import { bearer, keyHeaders, readJson, send, signIn, until } from '@casewatch/driver';
import { jetstreamManager } from '@nats-io/jetstream';
import { connect } from '@nats-io/transport-node';
import mongoose from 'mongoose';
import {
  type FailedCall,
  faultsBetween,
  type Ledgers,
  type Promised,
  stepIn,
  type TrackedCase,
  type TrackedImport,
  type TrackedUser,
} from './ledgers.ts';
import { isPassing, type Load } from './load.ts';
import type { System } from './system.ts';

const restMs = 120_000;
const quietMs = 10_000;
/** Two answers that are further apart were not lost in one crash. */
const apartMs = 250;
/** What was under way when a person paused, or was erased, may still arrive. */
const underWayMs = 150_000;
/** A message that had its turn when the quiet minute began may still leave, ms. */
const hadTurnMs = 20_000;
/** So soon after the quiet minute leaves what was held, ms. */
const heldMs = 20_000;
/** A wrong clock of a monitor or of its database may not stop the checks for longer, ms. */
const longestGapMs = 3_000;
/** The network may bring so many requests late, together with others. */
const lateRequests = 2;
/** Beyond what is promised and what the machine itself is late. */
const slackMs = 1_000;

type Served = { at: number; isClean: boolean };
/** What the government's stand-in showed: from when until when, and to whom. */
type Shown = { step: number; from: number; until: number; served: Served[] };
type Call = { id: string; body: string; isSigned: boolean | null; at: number };
type Mail = { at: number; messageId: string };
/** What is recorded of one update and channel, and what came. */
type Told = { status: string; error: string | null; sent: Mail[]; isInNewer: boolean };

type Update = {
  kind: string;
  status_code: string;
  email_notify_status: string;
  email_notify_last_error: string | null;
  whatsapp_notify_status: string;
  whatsapp_notify_last_error: string | null;
  whatsapp_notify_sent_at: string | null;
};
type CaseRead = {
  case: { active: boolean; latest_update: { status_code: string } | null };
  status_updates: Update[];
  updates_cursor: string | null;
};

/** What the interface says of an import at the end; `cases` by receipt, `people` by address. */
export type ImportRead = {
  state: string;
  counts: Record<string, number>;
  rows: readonly { row: number; outcome: string; case_ref: string | null }[];
  cases: ReadonlyMap<string, readonly string[]>;
  people: ReadonlyMap<string, number>;
};

export type Verdict = {
  expectedEntries: number;
  entries: number;
  calls: number;
  mails: number;
  /** Mails with several updates. */
  digests: number;
  /** Updates that were told right after the quiet minute. */
  held: number;
  messages: number;
  ambiguousDoubles: number;
  recordedFailures: number;
  checks: number;
  restedMs: number | null;
};

type Options = { system: System; load: Load; ledgers: Ledgers };

/** Waits for rest, reads everything, and adds what it finds to `ledgers.violations`. */
export async function check({ system, load, ledgers }: Options): Promise<Verdict> {
  const restedMs = await awaitRest({ system, load, ledgers });
  const shown = await shownBy(system);
  const [calls, mails, messages] = await Promise.all([
    callsOf(system, load),
    mailsOf(system),
    messagesOf(system),
  ]);
  const verdict: Verdict = {
    ...{ expectedEntries: 0, entries: 0, ambiguousDoubles: 0, recordedFailures: 0, restedMs },
    calls: calls.total,
    mails: mails.total,
    digests: mails.digests,
    held: toldBetween(mails, system.quiet.until, system.quiet.until + heldMs).length,
    messages: messages.total,
    checks: shown.rows.length,
  };

  const violate = (promise: Promised, text: string, story: string[]) => {
    ledgers.violations.push({ promise, text, story });
  };
  for (const { text } of calls.unsigned) violate('I3', text, []);
  // Afterwards the checker's own long questions hold up the stand-in, and requests arrive together.
  const ofLoad = shown.rows.filter(({ time }) => Date.parse(time) <= ledgers.loadEndedAt);
  const exceeded = busySeconds(ofLoad, system.uscisRate);
  if (exceeded.length > 0)
    violate('I7', `${exceeded.length} times too many requests a second`, exceeded.slice(0, 10));
  for (const fault of ledgers.faults.filter(({ kind }) => /^clock of .*mon(itor|god)/.test(kind))) {
    const until = fault.healedAt ?? fault.startedAt;
    const gapMs = longestGap(shown.times, fault.startedAt, until);
    if (gapMs > longestGapMs + lateness(ledgers, fault.startedAt, until))
      violate('I7', `no check for ${Math.round(gapMs)} ms while a clock was wrong`, [describeFault(fault)]);
  }

  for (const key of toldBetween(mails, system.quiet.from + hadTurnMs, system.quiet.until))
    violate('I2', `the mail of "<case> <step>" ${key} came in the quiet minute`, []);

  const historyOf = historyReader(system);
  for (const one of ledgers.cases) {
    // Nobody can sign in as a person who was erased.
    if (one.user.partner === null && one.user.erasing !== undefined) continue;
    const history = await historyOf(one).catch((err: unknown) => err as Error);
    if (history instanceof Error) {
      violate('rest', `case ${one.id} could not be read at rest: ${history.message}`, []);
      continue;
    }
    const steps = shown.of.get(one.receipt) ?? [];
    const told = (step: number) => callsFor(calls, one, step);
    const story = () => storyOf({ one, steps, history, told, ledgers });
    const isGone = one.deletedAt !== undefined || one.user.erasedAt !== undefined;
    if (isGone) {
      if (history !== null) violate('I6', `case ${one.id} is there after its deletion or erasure`, story());
      continue;
    }
    if (one.deleting !== undefined || one.user.erasing !== undefined) continue;
    if (history === null) {
      violate('I6', `case ${one.id} was created and is gone`, story());
      continue;
    }
    const updates = history.status_updates.map((update) => ({
      ...update,
      step: stepIn(update.status_code) ?? 0,
    }));
    const stored = updates.map(({ step }) => step);
    verdict.entries += stored.length;
    const ended = one.pausing ?? Number.POSITIVE_INFINITY;
    const baseline = stored[0];
    const expected = steps.filter(
      ({ step, until, served }) =>
        baseline !== undefined && step > baseline && until < ended && isSurelySeen(served),
    );
    verdict.expectedEntries += expected.length;
    for (const { step } of expected)
      if (!stored.includes(step))
        violate('I1', `case ${one.id} has no entry for step ${step}, which was served twice`, story());
    for (const [i, step] of stored.entries()) {
      const former = stored[i - 1];
      if (former !== undefined && former === step)
        violate('I1', `case ${one.id} has step ${step} twice`, story());
      else if (former !== undefined && former > step)
        violate('I5', `case ${one.id} has step ${step} after ${former}`, story());
      const state = steps.find((each) => each.step === step);
      if (state === undefined || state.served.length === 0)
        violate('I5', `case ${one.id} has step ${step}, which was not served`, story());
      else if (one.pausedAt !== undefined && state.from > one.pausedAt + underWayMs)
        violate('I1', `case ${one.id} was paused and got step ${step} later`, story());
    }
    const last = steps.findLast(({ served }) => served.some(({ isClean }) => isClean));
    const isLast =
      history.case.latest_update === null ? undefined : stepIn(history.case.latest_update.status_code);
    if (one.pausing === undefined && (last?.step !== stored.at(-1) || isLast !== last?.step))
      violate('I5', `case ${one.id} shows step ${isLast}, served was ${last?.step} last`, story());

    for (const { step, ...update } of updates) {
      if (update.kind === 'baseline') continue;
      for (const { hook } of load.endpoints.filter(({ partner }) => partner === one.user.partner)) {
        const arrived = callsFor(calls, one, step).filter((call) => call.hook === hook);
        if (arrived.length === 0) violate('I3', `${hook} never got step ${step} of case ${one.id}`, story());
      }
      const all = callsFor(calls, one, step);
      if (new Set(all.map(({ id }) => id)).size > 1)
        violate('I3', `step ${step} of case ${one.id} came under several ids`, story());
      if (new Set(all.map(({ body }) => body)).size > 1)
        violate('I3', `step ${step} of case ${one.id} came with other bytes`, story());
      const others = updates.filter((other) => other.step > step);
      judgeMessages('e-mail', {
        status: update.email_notify_status,
        error: update.email_notify_last_error,
        sent: mails.of.get(`${one.id} ${step}`) ?? [],
        isInNewer: false,
      });
      const last4 = one.receipt.slice(-4);
      const messagesOfStep = (number: number) =>
        messages.of.get(`${one.user.phone} ${last4} ${number}`) ?? [];
      if (one.user.phone)
        judgeMessages('WhatsApp', {
          status: update.whatsapp_notify_status,
          error: update.whatsapp_notify_last_error,
          sent: messagesOfStep(step),
          // Updates of one case that are sent together are one message with the newest title; they have its time.
          isInNewer: others.some(
            (other) =>
              other.whatsapp_notify_sent_at === update.whatsapp_notify_sent_at &&
              messagesOfStep(other.step).length > 0,
          ),
        });

      function judgeMessages(channel: string, { status, error, sent, isInNewer }: Told): void {
        const first = sent[0]?.at ?? 0;
        const final = sent.at(-1)?.at ?? 0;
        const causes = ['notifier', 'mongod', channel === 'e-mail' ? 'smtp' : 'twilio'];
        if (sent.length > 1) {
          if (faultsBetween(ledgers, first - 30_000, final + 1_000, causes).length > 0)
            verdict.ambiguousDoubles++;
          else
            violate('I2', `${channel} for step ${step} of case ${one.id} came ${sent.length} times`, story());
        }
        if (status === 'failed') verdict.recordedFailures++;
        if ((status === 'sent' || status === 'delivered') && sent.length === 0 && !isInNewer)
          violate(
            'I2',
            `${channel} for step ${step} of case ${one.id} is recorded as ${status} and never came`,
            story(),
          );
        if (status === 'pending' || status === 'sending')
          violate('I2', `${channel} for step ${step} of case ${one.id} is still ${status}`, story());
        const mayBeSkipped =
          !one.user.isVerified || one.user.unsubscribedAt !== undefined || one.pausing !== undefined;
        if (status === 'skipped' && channel === 'e-mail' && !mayBeSkipped)
          violate('I2', `${channel} for step ${step} of case ${one.id} was skipped: ${error}`, story());
      }
    }
  }

  for (const one of ledgers.imports) {
    const read = await readImport(system, one).catch((err: unknown) => err as Error);
    if (read instanceof Error)
      violate('rest', `import ${one.id} could not be read at rest: ${read.message}`, []);
    else judgeImport(one, read, violate);
  }

  for (const user of ledgers.users) judgeErased(user, mails.last.get(user.email), violate);
  for (const call of ledgers.failedCalls) judgeCall(call, ledgers, violate);
  return verdict;
}

export function isSurelySeen(served: readonly Served[]): boolean {
  const clean = served.filter(({ isClean }) => isClean).map(({ at }) => at);
  return clean.length >= 2 && Math.max(...clean) - Math.min(...clean) > apartMs;
}

type Violate = (promise: Promised, text: string, story: string[]) => void;

function judgeErased(user: TrackedUser, last: number | undefined, violate: Violate): void {
  if (user.erasedAt === undefined || last === undefined || last <= user.erasedAt + underWayMs) return;
  violate(
    'I3',
    `user ${user.id} was erased and got a mail ${Math.round((last - user.erasedAt) / 1_000)} s later`,
    [],
  );
}

/** I6: every row was stored with the 202, so each has one outcome, each person is one, and each receipt has one case. */
export function judgeImport(
  { id, rows }: TrackedImport,
  { state, counts, rows: found, cases, people }: ImportRead,
  violate: Violate,
): void {
  const story = [JSON.stringify({ state, counts })];
  const good = rows.filter(({ isGood }) => isGood);
  const expected = { rows: rows.length, created: good.length, refused: rows.length - good.length };
  const others = { waiting: 0, updated: 0, unchanged: 0 };
  if (state !== 'done') violate('I6', `import ${id} is ${state} at rest`, story);
  for (const [name, count] of Object.entries({ ...expected, ...others }))
    if (counts[name] !== count)
      violate('I6', `import ${id} has ${counts[name]} ${name}, not ${count}`, story);
  for (const [i, { receipt, isGood }] of rows.entries()) {
    const ofRow = found.filter(({ row }) => row === i + 1);
    const outcome = isGood ? 'created' : 'refused';
    const outcomes = ofRow.map((row) => row.outcome).join(', ') || 'gone';
    if (outcomes !== outcome)
      violate('I6', `row ${i + 1} of import ${id} is ${outcomes}, not ${outcome}`, story);
    const refs = (cases.get(receipt) ?? []).join(', ');
    const said = isGood ? (ofRow[0]?.case_ref ?? 'nothing') : '';
    if (refs !== said)
      violate(
        'I6',
        `row ${i + 1} of import ${id} says case ${said || 'none'}, there is ${refs || 'none'}`,
        story,
      );
  }
  for (const email of new Set(rows.map((row) => row.email))) {
    const count = good.some((row) => row.email === email) ? 1 : 0;
    if (people.get(email) !== count)
      violate('I6', `import ${id} made ${people.get(email)} people for an address, not ${count}`, story);
  }
}

async function readImport(
  { addresses, partners }: System,
  { id, partner, rows }: TrackedImport,
): Promise<ImportRead> {
  const keys = partners[partner];
  const as = keys ? keyHeaders(keys) : {};
  async function read<T>(path: string, isRight: (body: T) => boolean = () => true): Promise<T> {
    const answer = async () => {
      const { status, body } = await send<T>(addresses, 'GET', { as, path });
      return status === 200 && isRight(body) && body;
    };
    return await until(answer, { timeoutMs: restMs, intervalMs: 500, what: path, retryIf: isPassing });
  }
  const path = `/v1/client/imports/${id}`;
  type Import = { state: string } & Record<string, number>;
  // What has not ended by now is judged as it is.
  const ended = await read<{ import: Import }>(path, ({ import: now }) => now.state === 'done').catch(() =>
    read<{ import: Import }>(path),
  );
  const { rows: found } = await read<Pick<ImportRead, 'rows'>>(`${path}/rows?limit=100`);
  const cases = new Map<string, string[]>();
  for (const { receipt } of rows) {
    const list = await read<{ cases: { user_case_id: string }[] }>(
      `/v1/client/cases?receipt_number=${receipt}`,
    );
    cases.set(
      receipt,
      list.cases.map(({ user_case_id }) => user_case_id),
    );
  }
  const people = new Map<string, number>();
  for (const { email } of rows) {
    const { users } = await read<{ users: unknown[] }>(`/v1/client/users?email=${encodeURIComponent(email)}`);
    people.set(email, users.length);
  }
  const { state, ...counts } = ended.import;
  return { state, counts, rows: found, cases, people };
}

/** The longest that a request to a bare server of the machine took between two times, ms. */
function lateness({ noise }: Ledgers, from: number, until: number): number {
  return Math.max(0, ...noise.filter(({ at }) => at >= from && at <= until).map(({ ms }) => ms));
}

/** I8: every refusal is an honest 503 in time, unless the gateway itself was hit. */
export function judgeCall(call: FailedCall, ledgers: Ledgers, violate: Violate): void {
  const { what, status, code, ms, startedAt, hasRetryAfter, limitMs } = call;
  const lateMs = lateness(ledgers, startedAt - 2_000, startedAt + ms + 2_000);
  const faults = faultsBetween(ledgers, startedAt - 1_000, startedAt + ms + 1_000, ['gateway']);
  const story = [
    `${new Date(startedAt).toISOString()} ${what}: ${status} ${code} after ${Math.round(ms)} ms (promised ${limitMs} ms; the machine was ${Math.round(lateMs)} ms late)`,
    ...faultsBetween(ledgers, startedAt, startedAt + ms, ['']).map(describeFault),
  ];
  const gatewayWasHit = faults.length > 0;
  if (status === 0) {
    if (!gatewayWasHit) violate('I8', `${what} got no answer`, story);
  } else if (status >= 500 && status !== 503) violate('I8', `${what} was answered ${status}`, story);
  else if (status === 503 && !hasRetryAfter) violate('I8', `${what} was refused without Retry-After`, story);
  else if (status < 500 && status !== 429 && code !== 'idempotency_in_progress')
    violate('I8', `${what} was answered ${status} ${code}`, story);
  else if (ms > limitMs + slackMs + 5 * lateMs && !gatewayWasHit)
    violate('I8', `${what} was refused after ${Math.round(ms)} ms`, story);
}

export function describeFault({
  number,
  kind,
  targets,
  startedAt,
  healedAt,
  effect,
}: Ledgers['faults'][number]): string {
  const times = `${new Date(startedAt).toISOString()} to ${healedAt ? new Date(healedAt).toISOString() : '…'}`;
  return `fault ${number} ${times} ${kind} on ${targets.join(', ')}: ${effect ?? 'no effect'}`;
}

type CallsOf = ReturnType<typeof callsFor>;

function storyOf(facts: {
  one: TrackedCase;
  steps: readonly Shown[];
  history: CaseRead | null;
  told: (step: number) => CallsOf;
  ledgers: Ledgers;
}): string[] {
  const { one, steps, history, told, ledgers } = facts;
  const at = (ms: number | undefined) => (ms === undefined ? '–' : new Date(ms).toISOString());
  const from = steps[0]?.from ?? one.createdAt;
  return [
    `case ${one.id} of user ${one.user.id} (partner ${one.user.partner ?? 'none'}) on receipt ${one.receipt}, created ${at(one.createdAt)}`,
    `paused ${at(one.pausedAt)}, deleted ${at(one.deletedAt)}, unsubscribed ${at(one.user.unsubscribedAt)}, erased ${at(one.user.erasedAt)}`,
    ...steps.slice(-15).map(
      ({ step, from, served }) =>
        `step ${step} shown from ${at(from)}, served ${served.map(({ at: ms, isClean }) => `${at(ms).slice(14)}${isClean ? '' : ' (with a fault)'}`).join(', ') || 'never'}; ` +
        `calls ${
          told(step)
            .map(({ hook, at: ms }) => `${hook} ${at(ms).slice(14)}`)
            .join(', ') || 'none'
        }`,
    ),
    `stored: ${history?.status_updates.map(({ status_code, kind, email_notify_status }) => `${status_code} (${kind}, ${email_notify_status})`).join(', ') ?? 'gone'}`,
    ...faultsBetween(ledgers, from, Date.now(), ['']).slice(-15).map(describeFault),
  ];
}

async function shownBy({ addresses }: System) {
  type Row = { time: string; monotonic_ms: number; receipt: string; status: number; fault: string | null };
  type Transition = { time: string; receipt: string; served: { text_en?: string } | null };
  const rows = await readJson<Row[]>(`${addresses.uscis_url}/sandbox/requests`);
  const transitions = await readJson<Transition[]>(`${addresses.uscis_url}/sandbox/transitions`);
  const of = new Map<string, Shown[]>();
  for (const { time, receipt, served } of transitions) {
    const step = stepIn(served?.text_en ?? '');
    if (step === undefined) continue;
    const list = of.get(receipt) ?? [];
    of.set(receipt, list);
    const from = Date.parse(time);
    const former = list.at(-1);
    if (former) former.until = from;
    list.push({ step, from, until: Number.POSITIVE_INFINITY, served: [] });
  }
  for (const { time, receipt, status, fault } of rows) {
    if (status !== 200) continue;
    const at = Date.parse(time);
    const list = of.get(receipt) ?? [];
    // In the millisecond of a change both may have been served.
    for (const shown of list)
      if (at >= shown.from && at <= shown.until)
        shown.served.push({ at, isClean: fault === null && at > shown.from && at < shown.until });
  }
  const times = rows.map(({ time }) => Date.parse(time));
  return { of, rows, times };
}

/** The longest time without a request between two moments, ms. `times`: of requests, in order. */
export function longestGap(times: readonly number[], from: number, until: number): number {
  const between = [from, ...times.filter((at) => at > from && at < until), until];
  return Math.max(0, ...between.slice(1).map((at, i) => at - (between[i] ?? at)));
}

/** Seconds, beginning with any request, in which more requests arrived than are allowed; two may come late, together with the next. */
export function busySeconds(
  rows: readonly { time: string; monotonic_ms: number }[],
  perSecond: number,
): string[] {
  const most = perSecond + lateRequests;
  const found: string[] = [];
  for (let first = 0; first + most < rows.length; first++) {
    const [from, until] = [rows[first], rows[first + most]];
    if (from && until && until.monotonic_ms - from.monotonic_ms < 1_000)
      found.push(`${from.time}: more than ${most} requests within a second, ${perSecond} are allowed`);
  }
  return found;
}

async function callsOf({ addresses }: System, load: Load) {
  type Row = {
    headers: Record<string, string>;
    body: string;
    received_at: string;
    signature_ok: boolean | null;
  };
  const of = new Map<string, (Call & { hook: string })[]>();
  const unsigned: { text: string }[] = [];
  let total = 0;
  for (const { hook } of load.endpoints)
    for (const row of await readJson<Row[]>(`${addresses.receiver_url}/sandbox/hooks/${hook}`)) {
      total++;
      const id = row.headers['webhook-id'] ?? '';
      if (row.signature_ok !== true)
        unsigned.push({
          text: `${hook} got ${id} at ${row.received_at} with a wrong signature (timestamp ${row.headers['webhook-timestamp']})`,
        });
      const { data } = JSON.parse(row.body) as {
        data: { case?: { id: number }; status_update?: { status_code: string } };
      };
      const key = `${data.case?.id} ${stepIn(data.status_update?.status_code ?? '')}`;
      const list = of.get(key) ?? [];
      of.set(key, list);
      list.push({ hook, id, body: row.body, isSigned: row.signature_ok, at: Date.parse(row.received_at) });
    }
  return { of, unsigned, total };
}

function callsFor(
  { of }: Pick<Awaited<ReturnType<typeof callsOf>>, 'of'>,
  { id }: TrackedCase,
  step: number,
) {
  return of.get(`${id} ${step}`) ?? [];
}

async function mailsOf({ addresses }: System) {
  type Row = { to: string; text: string | null; headers: Record<string, string>; received_at: string };
  const rows = await readJson<Row[]>(`${addresses.mail_url}/sandbox/mails`);
  const of = new Map<string, Mail[]>();
  const last = new Map<string, number>();
  let total = 0;
  let digests = 0;
  for (const { to, text, headers, received_at } of rows) {
    const at = Date.parse(received_at);
    last.set(to, Math.max(at, last.get(to) ?? 0));
    const told = updatesIn(text ?? '');
    if (told.length > 0) total++;
    if (told.length > 1) digests++;
    for (const key of told)
      of.set(key, [...(of.get(key) ?? []), { at, messageId: headers['message-id'] ?? '' }]);
  }
  return { of, last, total, digests };
}

/** The updates that mails told between two times. */
function toldBetween({ of }: { of: ReadonlyMap<string, readonly Mail[]> }, from: number, until: number) {
  return [...of].flatMap(([key, list]) => (list.some(({ at }) => at > from && at < until) ? [key] : []));
}

/** `<case> <step>` of each update in a mail. "Before" names another step, which the mail does not tell. */
export function updatesIn(text: string): string[] {
  // The number of the case, then, before the next case, the line that says what the status is now.
  const items = text.matchAll(
    /\(reference FLOW0*(\d+)\)(?:(?!\(reference )[\s\S])*?\nNow: Step (\d+) Was Taken/g,
  );
  return [...items].map(([, id, step]) => `${id} ${step}`);
}

async function messagesOf({ addresses }: System) {
  type Row = { to: string; content_variables: unknown; created_at: string; sid: string };
  const rows = await readJson<Row[]>(`${addresses.twilio_url}/sandbox/messages`);
  const of = new Map<string, Mail[]>();
  for (const { to, content_variables, created_at, sid } of rows) {
    const step = stepIn(JSON.stringify(content_variables));
    if (step === undefined) continue;
    const { 2: last4 } = variablesOf(content_variables);
    const key = `${to.replace('whatsapp:', '')} ${last4} ${step}`;
    of.set(key, [...(of.get(key) ?? []), { at: Date.parse(created_at), messageId: sid }]);
  }
  return { of, total: rows.length };
}

function variablesOf(variables: unknown): Record<string, string> {
  return (typeof variables === 'string' ? JSON.parse(variables) : variables) as Record<string, string>;
}

/** Reads the whole history of a case, oldest first, as its partner, or as the person without one. Null: 404. */
function historyReader({ addresses, partners }: System) {
  const tokens = new Map<TrackedUser, Promise<{ value: string; at: number }>>();
  const waiting = { timeoutMs: 30_000, retryIf: isPassing };
  /** A token is good for 15 minutes. */
  async function tokenOf(user: TrackedUser): Promise<string> {
    const known = await tokens.get(user);
    if (known && Date.now() - known.at < 600_000) return known.value;
    const made = until(() => signIn(addresses, user.email, waiting), {
      timeoutMs: restMs,
      intervalMs: 1_000,
      retryIf: () => true,
    }).then(({ access_token: value }) => ({ value, at: Date.now() }));
    tokens.set(user, made);
    return (await made).value;
  }
  return async ({ id, user }: TrackedCase): Promise<CaseRead | null> => {
    const keys = user.partner === null ? undefined : partners[user.partner];
    const as = keys ? keyHeaders(keys) : bearer(await tokenOf(user));
    const own = keys ? `/v1/client/cases/${id}` : `/v1/users/${user.id}/cases/${id}`;
    const updates: Update[] = [];
    let cursor = '';
    for (let tries = 0; tries < 200; ) {
      const path = `${own}${cursor && `?updates_cursor=${encodeURIComponent(cursor)}`}`;
      const { status, body } = await send<CaseRead>(addresses, 'GET', { as, path });
      if (status === 404) return null;
      if (status !== 200) {
        tries++;
        await delay(200);
        continue;
      }
      updates.push(...body.status_updates);
      if (body.updates_cursor === null) return { ...body, status_updates: updates.reverse() };
      cursor = body.updates_cursor;
    }
    throw new Error(`case ${id} could not be read at the end of the run`);
  };
}

/**
 * What a time limit becomes on a machine that lets processes wait: an event passes some hundred of them, one after the other. What a
 * bare server of the same machine needed since `from` (median) is added a hundred times; on an idle machine, 0.2 s.
 */
export function limitHere(limitMs: number, ledgers: Ledgers, from: number): number {
  const sorted = ledgers.noise
    .filter(({ at }) => at >= from)
    .map(({ ms }) => ms)
    .sort((one, other) => one - other);
  return limitMs + 100 * (sorted[Math.floor(sorted.length / 2)] ?? 0);
}

/** @returns after how many ms of waiting the system was at rest; null: not within 120 s, which is a violation */
async function awaitRest({ system, load, ledgers }: Options): Promise<number | null> {
  // The load has ended, and with it the measuring: its last minute counts.
  const [from, began] = [ledgers.loadEndedAt - 60_000, performance.now()];
  let open: string[] = [];
  while (performance.now() - began < limitHere(restMs, ledgers, from)) {
    open = await whatIsOpen({ system, load, ledgers }).catch((err: unknown) => [
      `not readable: ${String(err)}`,
    ]);
    if (open.length === 0) return performance.now() - began;
    await delay(2_000);
  }
  for (const text of open)
    ledgers.violations.push({
      promise: text.includes('dead') ? 'I4' : 'rest',
      text: `not at rest ${Math.round((performance.now() - began) / 1_000)} s after the last fault: ${text}`,
      story: ledgers.faults.slice(-5).map(describeFault),
    });
  return null;
}

async function whatIsOpen({ system, load, ledgers }: Options): Promise<string[]> {
  const open: string[] = [];
  let dead = 0;
  const client = new mongoose.mongo.MongoClient(system.mongoUrl(''), { serverSelectionTimeoutMS: 5_000 });
  try {
    for (const name of serviceNames.filter((service) => service !== 'gateway')) {
      const database = client.db(name);
      const unpublished = await database.collection('outbox').countDocuments({ published_at: null });
      const waiting = await database.collection('failed_events').countDocuments({ state: 'waiting' });
      dead += await database.collection('failed_events').countDocuments({ state: 'dead' });
      if (unpublished > 0) open.push(`${name}: ${unpublished} unpublished rows of the outbox`);
      if (waiting > 0) open.push(`${name}: ${waiting} failed events wait`);
    }
  } finally {
    await client.close();
  }
  const connection = await connect({ servers: system.natsUrls, ...system.operator, timeout: 5_000 });
  try {
    const manager = await jetstreamManager(connection, { timeout: 10_000 });
    for await (const { config, state } of manager.streams.list()) {
      if (config.name.startsWith('DEAD_')) dead += state.messages;
      for await (const { name, num_pending, num_ack_pending } of manager.consumers.list(config.name))
        if (num_pending + num_ack_pending > 0)
          open.push(
            `${config.name}: consumer ${name} has ${num_pending} messages pending and ${num_ack_pending} unacknowledged`,
          );
    }
  } finally {
    await connection.close();
  }
  if (dead > ledgers.expectedDead)
    open.push(`${dead} dead events, ${ledgers.expectedDead} expected from poison alone`);
  for (const { id, partner, hook } of load.endpoints) {
    const keys = system.partners[partner];
    const as = keys ? keyHeaders(keys) : {};
    const path = `/v1/webhooks/${id}/deliveries?status=pending&limit=1`;
    const { status, body } = await send<{ deliveries: unknown[] }>(system.addresses, 'GET', { as, path });
    if (status !== 200 || body.deliveries.length > 0) open.push(`deliveries to ${hook} are pending`);
  }
  const { last } = await mailsOf(system);
  const newest = Math.max(0, ...last.values());
  if (Date.now() - newest < quietMs) open.push('a mail came within the last 10 s');
  const { of } = await shownBy(system);
  const isWatched = (one: TrackedCase) =>
    one.pausing === undefined && one.deleting === undefined && one.user.erasing === undefined;
  const unchecked = ledgers.cases.filter(
    (one) => isWatched(one) && !isSurelySeen(of.get(one.receipt)?.at(-1)?.served ?? []),
  );
  if (unchecked.length > 0)
    open.push(`${unchecked.length} receipts were not checked since their last change`);
  return open;
}
