import type { Channel, NotifyStatus } from '@casewatch/contracts';

/** A notification that was not sent yet, as far as the choice of a message needs it. */
export type Waiting = {
  _id: string;
  case_id: number;
  status_update_id: number;
  status: NotifyStatus;
  observed_at: Date;
  next_attempt_at: Date | null;
  lease_until: Date | null;
  ambiguous: boolean;
  digest?: string | null;
  urgent: boolean;
};

export type Received = {
  last_message_at: Date | null;
  /** Start of the 24 hours in which messages are counted. */
  day_started_at: Date | null;
  day_count: number;
};

export type Rules = {
  channel: Channel;
  now: Date;
  /** 0: one message per case. */
  windowMs: number;
  cap: number;
  /** End of the quiet hours, if they are now. */
  quietUntil: Date | null;
  /** A message can have updates of several cases. */
  joinsCases: boolean;
};

/** Newest first. `digest`: repeats the message of this digest. */
type Chosen<Row> = { rows: Row[]; digest: string | null };

export type MessagePlan<Row> = {
  /** One, or one for each case. */
  send: Chosen<Row>[];
  hold: { rows: Row[]; until: Date } | null;
};

export const maxItems = 50;
/** Messages to one person at a time, where updates of several cases cannot be joined. */
const maxMessages = 10;
const dayMs = 24 * 60 * 60 * 1000;

/** Chooses the next messages of one person and channel, and delays what follows in a digest (notifier.md, Sending). */
export function planMessages<Row extends Waiting>(
  rows: readonly Row[],
  received: Received,
  rules: Rules,
): MessagePlan<Row> {
  const busy = new Set(rows.filter((row) => isInFlight(row, rules)).map(({ case_id }) => case_id));
  const free = rows.filter((row) => row.status === 'pending' && !busy.has(row.case_id));
  const due = free.filter((row) => isPast(row.next_attempt_at, rules.now));
  const until = heldUntil(received, rules);
  const mayGo = (row: Row) => rules.quietUntil === null || (rules.channel === 'email' && row.urgent);
  const repeat = repeatedMessage(due.filter(mayGo), free);
  if (repeat) return { send: [repeat], hold: null };
  const ready = until === null ? due : due.filter((row) => row.urgent && mayGo(row));
  const send = groupsOf(ready, rules)
    .map((cases) => ({ rows: newestFirst(members(cases, free)), digest: null }))
    .filter(({ rows }) => rows.length > 0);
  const sent = new Set(send.flatMap(({ rows }) => rows));
  const held = until === null ? [] : due.filter((row) => !sent.has(row));
  return { send, hold: until === null || held.length === 0 ? null : { rows: held, until } };
}

/** Twilio may have accepted an ambiguous message: until its callback or its turn, nothing of the case follows. */
function isInFlight(row: Waiting, { channel, now }: Rules): boolean {
  if (row.status === 'sending' || (row.lease_until && row.lease_until > now)) return true;
  return channel === 'whatsapp' && row.ambiguous && !isPast(row.next_attempt_at, now);
}

function isPast(time: Date | null, now: Date): boolean {
  return time !== null && time <= now;
}

function heldUntil(received: Received, { now, windowMs, cap, quietUntil }: Rules): Date | null {
  const ends = [
    quietUntil,
    received.last_message_at && after(received.last_message_at, windowMs),
    cap > 0 && received.day_count >= cap && received.day_started_at
      ? after(received.day_started_at, dayMs)
      : null,
  ].filter((end) => end !== null && end > now) as Date[];
  return ends.length === 0 ? null : new Date(Math.max(...ends.map((end) => end.getTime())));
}

/** The same rows again, with the same Message-ID, unless an update of their cases came later. */
function repeatedMessage<Row extends Waiting>(due: Row[], free: Row[]) {
  const first = due.find(({ ambiguous }) => ambiguous);
  if (!first) return null;
  const digest = first.digest ?? null;
  const rows = digest === null ? [first] : free.filter((row) => row.ambiguous && row.digest === digest);
  const cases = new Set(rows.map(({ case_id }) => case_id));
  if (free.some((row) => cases.has(row.case_id) && !rows.includes(row))) return null;
  return { rows: newestFirst(rows), digest };
}

/** The cases of each message, urgent ones first, then by age. */
function groupsOf<Row extends Waiting>(ready: Row[], { joinsCases }: Rules): number[][] {
  const byHaste = ready.toSorted((a, b) => Number(b.urgent) - Number(a.urgent) || byAge(a, b));
  const cases = [...new Set(byHaste.map(({ case_id }) => case_id))];
  return joinsCases ? [cases] : cases.slice(0, maxMessages).map((id) => [id]);
}

/** With each case go its older updates, which may wait for another attempt. Of more than 50, the oldest come first. */
function members<Row extends Waiting>(cases: number[], free: Row[]): Row[] {
  return cases
    .flatMap((id) => free.filter(({ case_id }) => case_id === id).toSorted(byAge))
    .slice(0, maxItems);
}

function newestFirst<Row extends Waiting>(rows: Row[]): Row[] {
  return rows.toSorted((a, b) => byAge(b, a));
}

function byAge(a: Waiting, b: Waiting): number {
  return a.observed_at.getTime() - b.observed_at.getTime() || a.status_update_id - b.status_update_id;
}

function after(time: Date, ms: number): Date {
  return new Date(time.getTime() + ms);
}
