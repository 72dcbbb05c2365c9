import type { FirmReply } from '@casewatch/contracts';
import { type Running, worker } from '@casewatch/platform';
import { type Session, transaction } from '@casewatch/platform/database';
import type { Context } from '../context.ts';
import type { AlertRow } from '../store/alerts.ts';
import type { ClaimedNews, FirmNews } from '../store/firm-news.ts';
import { fetchCases, fetchFirm, reasonNotToTell, suppressedMembers } from './ask-firm.ts';
import { publishAlerts } from './change-alerts.ts';
import { type Choice, type ChosenMember, chooseMembers } from './choose-members.ts';
import { eraseRemoved } from './erase-firm.ts';
import { firmGoneMs, lifetimeMs } from './member-mail.ts';

/** Longer than the questions and the transactions of a batch. */
const leaseMs = 60_000;
/** Time until news is tried again whose questions had no answer, ms. */
const awayMs = 5_000;
/** Pause after such news, ms: an outage of identity or cases is no reason to hurry through all that waits. */
const restMs = 1_000;
/** Alerts of one transaction, which has 5 s. */
const maxAlerts = 1_000;
const sweepMs = 300;
/** The same after half a minute without news. */
const idleSweepMs = 5_000;

type Batch = { token: string; rows: ClaimedNews[] };

/** Chooses whom news of a firm reaches, once it is due: one alert for each member. */
export function planNews(ctx: Context): Running {
  let restsUntil = 0;
  return worker<Batch>({
    log: ctx.log,
    name: 'news',
    concurrency: 2,
    sweepMs,
    idleSweepMs,
    async claim() {
      if (performance.now() < restsUntil) return null;
      const batch = await ctx.stores.firmNews.claim(leaseMs);
      return batch.rows.length === 0 ? null : batch;
    },
    async handle(batch) {
      if ((await plan(ctx, batch)) === 'away') restsUntil = performance.now() + restMs;
    },
    wakeOn: (wake) => ctx.signals.on('news', wake),
  });
}

async function plan(ctx: Context, { token, rows }: Batch): Promise<'done' | 'away'> {
  const partnerId = rows[0]?.partner_id ?? 0;
  const facts = await readFacts(ctx, partnerId, rows).catch((error: unknown) => {
    ctx.log.info({ partner_id: partnerId, err: error }, 'firm unavailable; its news waits');
    return null;
  });
  if (facts === null) {
    const ids = rows.map(({ _id }) => _id);
    await ctx.stores.firmNews.giveBack(token, ids, awayMs);
    ctx.alarms.set('news', awayMs);
    return 'away';
  }
  const waiting =
    facts.reply.firm === null ? await putOffYoung(ctx, { token, rows }) : new Set<ClaimedNews>();
  const ready = rows.filter((row) => !waiting.has(row));
  const size = Math.max(1, Math.floor(maxAlerts / Math.max(1, facts.reply.members.length)));
  for (let i = 0; i < ready.length; i += size)
    await store(ctx, { token, facts, ids: ready.slice(i, i + size).map(({ _id }) => _id) });
  ctx.signals.emit('alerts');
  const memberIds = facts.reply.members.map(({ id }) => id);
  await eraseRemoved(ctx, { partnerId, memberIds });
  return 'done';
}

/** News of a firm that is not erased: it may be suspended, or its deletion may be withdrawn. Returns what waits for that. */
async function putOffYoung(ctx: Context, { token, rows }: Batch): Promise<ReadonlySet<ClaimedNews>> {
  if (await ctx.stores.partnerTombstones.has(rows[0]?.partner_id ?? 0)) return new Set();
  const young = rows.filter((row) => row.claimed_at.getTime() - row.observed_at.getTime() < lifetimeMs);
  const ids = young.map(({ _id }) => _id);
  await ctx.stores.firmNews.putOff(token, ids, firmGoneMs * ctx.config.NOTIFY_RETRY_SCALE);
  return new Set(young);
}

type Facts = {
  reply: FirmReply;
  cases: Awaited<ReturnType<typeof fetchCases>>;
  suppressed: ReadonlySet<number>;
};

async function readFacts(ctx: Context, partnerId: number, rows: readonly FirmNews[]): Promise<Facts> {
  const caseIds = rows.map(({ case_id }) => case_id);
  const [reply, cases] = await Promise.all([fetchFirm(ctx.bus, partnerId), fetchCases(ctx.bus, caseIds)]);
  return { reply, cases, suppressed: await suppressedMembers(ctx, reply) };
}

/** Alerts, events and the end of the news are stored together, or not at all if the news is not claimed any more. */
async function store(
  ctx: Context,
  { token, facts, ids }: { token: string; facts: Facts; ids: readonly string[] },
): Promise<void> {
  const hasMembers = facts.reply.members.length > 0;
  const unreached = await transaction(ctx.db, async (session) => {
    const rows = await ctx.stores.firmNews.stillClaimed(session, token, ids);
    const choices = await chooseAll(ctx, session, { rows, facts });
    const alerts = choices.flatMap((choice) => alertsOf(ctx, choice, facts));
    await ctx.stores.alerts.insertAll(session, alerts);
    await publishAlerts(ctx, session, alerts);
    const reachNobody = choices.filter(({ choice }) => choice.reachesNobody).map(({ news }) => news._id);
    const done = { ids: rows.map(({ _id }) => _id), unreached: reachNobody, hasMembers };
    await ctx.stores.firmNews.finish(session, token, done);
    return reachNobody;
  });
  if (hasMembers)
    for (const news of unreached) ctx.log.error({ news }, 'urgent news reaches no member of the firm');
}

type Chosen = { news: ClaimedNews; choice: Choice; stored: ReadonlySet<string> };

async function chooseAll(
  ctx: Context,
  session: Session,
  { rows, facts: { reply, cases, suppressed } }: { rows: readonly ClaimedNews[]; facts: Facts },
): Promise<Chosen[]> {
  if (reply.firm === null) return [];
  const before = await ctx.stores.alerts.ofNews(
    session,
    rows.map(({ _id }) => _id),
  );
  const byNews = Map.groupBy(before, ({ news_id }) => news_id);
  const timeZone = reply.firm.time_zone ?? ctx.config.NOTIFY_TIME_ZONE;
  return rows.flatMap((news) => {
    const now = news.claimed_at;
    const found = cases.get(news.case_id);
    if (reasonNotToTell(news, found, { now, timeZone }) !== null) return [];
    const alerts = byNews.get(news._id) ?? [];
    const isReached = alerts.some(({ staff_id, status }) => staff_id !== null && isToldBy(status));
    // One mail of several failed: who wanted to hear was told, or is about to be. For a member who went away the owners hear it, too.
    const isForAway = alerts.some(({ reason }) => reason === 'member_away');
    if (isReached && news.planned_at !== undefined && !isForAway) return [];
    const choice = chooseMembers(news, {
      members: reply.members,
      assigneeId: found?.assignee_id ?? null,
      now,
      timeZone,
      unreachable: new Set([...suppressed, ...(news.failed_staff ?? [])]),
      isReached,
    });
    return [{ news, choice, stored: new Set(alerts.map(({ _id }) => _id)) }];
  });
}

function isToldBy(status: AlertRow['status']): boolean {
  return status === 'pending' || status === 'sent';
}

function alertsOf(ctx: Context, { news, choice, stored }: Chosen, { reply, suppressed }: Facts): AlertRow[] {
  const takesMail = reply.firm !== null && reply.firm.email !== '' && !suppressed.has(0);
  const office = choice.reachesNobody && takesMail ? [{ id: null, dueAt: null }] : [];
  return [...choice.members, ...office]
    .map((reader) => newAlert(ctx, news, reader))
    .filter(({ _id }) => !stored.has(_id));
}

function newAlert(
  ctx: Context,
  news: ClaimedNews,
  { id: staffId, dueAt, instead }: Omit<ChosenMember, 'id'> & { id: number | null },
): AlertRow {
  const due_at = dueAt ?? news.claimed_at;
  const { _id, kind, partner_id, user_id, case_id, urgent, observed_at, request_id, traceparent } = news;
  return {
    _id: alertId(_id, kind, staffId),
    news_id: _id,
    ...{ kind, partner_id, user_id, case_id, urgent, observed_at, request_id, traceparent },
    staff_id: staffId,
    ...(instead && { instead }),
    status: 'pending',
    reason: null,
    mail_id: null,
    due_at,
    unsent_since: due_at,
    sent_at: null,
    revision: 1,
    created_at: ctx.clock.now(),
  };
}

/** As firm.md §5 spells them. */
function alertId(newsId: string, kind: FirmNews['kind'], staffId: number | null): string {
  if (staffId === null) return `${newsId}:office`;
  return kind === 'reminder' ? `${newsId}:${staffId}` : `${newsId}:staff:${staffId}`;
}
