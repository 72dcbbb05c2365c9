import {
  type Assignee,
  type Channel,
  type PartnerChange,
  toPartnerTime,
  userCaseId,
} from '@casewatch/contracts';
import { csvFile, type Handler, type Position, readPage } from '@casewatch/platform';
import { databaseTime, settledBefore } from '@casewatch/platform/database';
import { assertMaySeePeople, type PageOfPeople } from '../clients/identity.ts';
import type { Context } from '../context.ts';
import { presentStatusUpdate } from '../present/case.ts';
import { presentReviewer, staffIdsOf } from '../present/reviewer.ts';
import { alertedStaffIds, toldStaff } from '../present/told-staff.ts';
import { respondByOf } from '../rules/status-update.ts';
import type { CaseRow } from '../store/cases.ts';
import type { ChangeRow, StatusUpdateRow } from '../store/status-updates.ts';

/** A poller that was stopped for days continues where it was. */
const pollerLifetimeMs = 30 * 24 * 60 * 60 * 1_000;

/** Where a poller begins that has no cursor and found nothing. */
const beginning: Position = [new Date(0).toISOString(), 0];

/** GET /v1/client/changes. By `at` it is for polling: each change once, and none is missed. */
export function listChanges(ctx: Context): Handler<'list_changes'> {
  return async ({ caller, query }) => {
    const { limit, cursor, sort, ...filter } = query;
    const { partner_id: partnerId } = caller;
    const isPolled = sort === 'at';
    const direction = isPolled ? 1 : -1;
    const before = isPolled ? settledBefore(await databaseTime(ctx.db)) : null;
    const scope = {
      operation: 'list_changes',
      caller,
      filters: filter,
      sort,
      ...(isPolled && { lifetimeMs: pollerLifetimeMs }),
    } as const;
    const { rows, page } = await readPage<ChangeRow>({
      cursors: ctx.cursors,
      scope,
      cursor,
      limit,
      read: (after, count) =>
        ctx.stores.statusUpdates.findChanges({ partnerId, filter, direction, before, after, limit: count }),
      positionOf,
    });
    const changes = await presentChanges(ctx, caller, rows);
    if (!isPolled) return { body: { changes, ...page } };
    const last = rows.at(-1);
    const start = cursor === undefined ? beginning : ctx.cursors.decode(scope, cursor);
    const next_cursor = ctx.cursors.encode(scope, last ? positionOf(last) : start);
    return { body: { changes, has_more: page.has_more, next_cursor } };
  };
}

/** In the order of `cellsOf`. */
const head = [
  'id',
  'at',
  'receipt_number',
  'name',
  'email',
  'description',
  'reference',
  'assignee',
  'status',
  'previous_status',
  'category',
  'monitoring',
  'urgent',
  'respond_by',
  'already_open',
  'told_by_email',
  'told_by_whatsapp',
  'reviewed_at',
  'case_ref',
  'user_id',
];

/** GET /v1/client/changes.csv, newest first. */
export function exportChanges(ctx: Context): Handler<'export_changes'> {
  return async ({ caller, query: filter }) => {
    assertMaySeePeople(caller);
    const { partner_id: partnerId } = caller;
    const file = await csvFile<ChangeRow>({
      head,
      read: (after, limit) =>
        ctx.stores.statusUpdates.findChanges({
          partnerId,
          filter,
          direction: -1,
          before: null,
          after,
          limit,
        }),
      positionOf,
      linesOf: async (rows) => (await presentChanges(ctx, caller, rows)).map(cellsOf),
    });
    return { file };
  };
}

function cellsOf({ case: of, user, status_update: update, told, ...change }: PartnerChange) {
  return [
    change.id,
    change.at,
    of.receipt_number,
    user?.name ?? null,
    user?.email ?? null,
    of.description,
    of.reference,
    of.assignee?.name ?? null,
    update?.status_code ?? null,
    change.previous_status_code,
    update?.category ?? null,
    change.monitoring?.state ?? null,
    change.urgent,
    change.respond_by?.date ?? null,
    change.already_open,
    told.user?.email.status ?? null,
    told.user?.whatsapp.status ?? null,
    change.reviewed_at,
    of.user_case_id,
    user?.id ?? null,
  ];
}

function positionOf({ change, _id }: ChangeRow): Position {
  return [change.at.toISOString(), _id];
}

type Caller = Parameters<Context['identity']['pageOfPeople']>[0];

/** A case that is gone was erased with its changes, and that of a deleted user is about to be: the page is shorter by them. */
async function presentChanges(
  ctx: Context,
  caller: Caller,
  rows: readonly ChangeRow[],
): Promise<PartnerChange[]> {
  const cases = await ctx.stores.cases.findSome([...new Set(rows.map(({ case_id }) => case_id))]);
  const caseOf = new Map(cases.map((row) => [row._id, row]));
  const userIds = cases.map(({ user_id }) => user_id);
  const reviewers = staffIdsOf(rows.map(({ change }) => change.reviewed_by));
  const [people, assignees, names] = await Promise.all([
    ctx.identity.pageOfPeople(caller, userIds),
    ctx.identity.assigneesOf(caller.partner_id, cases),
    ctx.identity.namesOfStaff(caller.partner_id, [...alertedStaffIds(rows), ...reviewers]),
  ]);
  const now = ctx.clock.now();
  return rows.flatMap((row) => {
    const ofCase = caseOf.get(row.case_id);
    const person = ofCase && people.of(ofCase.user_id);
    if (!ofCase || !person) return [];
    return [presentChange(row, ofCase, { ...person, assignee: assignees.of(ofCase), names }, now)];
  });
}

type Shown = NonNullable<ReturnType<PageOfPeople['of']>> & {
  assignee: Assignee;
  /** Of members, by their ids. */
  names: ReadonlyMap<number, string>;
};

function presentChange(row: ChangeRow, ofCase: CaseRow, shown: Shown, now: Date): PartnerChange {
  const { at, urgent, already_open, previous_status_code, reviewed_at, reviewed_by } = row.change;
  const { _id: id, receipt_number, description, reference } = ofCase;
  const { assignee, user, language, names } = shown;
  const view = { language, time: toPartnerTime, now };
  const isMonitoring = 'monitoring' in row;
  return {
    id: row._id,
    at: toPartnerTime(at),
    case: { id, user_case_id: userCaseId(id), receipt_number, description, assignee, reference },
    user,
    status_update: isMonitoring ? null : presentStatusUpdate(row, view),
    previous_status_code,
    monitoring: isMonitoring
      ? { state: row.monitoring.state, since: toPartnerTime(row.monitoring.since) }
      : null,
    urgent,
    respond_by: isMonitoring ? null : respondByOf(row),
    already_open,
    told: { user: isMonitoring ? null : toldUser(row), staff: toldStaff(row, names, toPartnerTime) },
    reviewed_at: toPartnerTime(reviewed_at),
    reviewed_by: reviewed_by && presentReviewer(reviewed_by, names),
  };
}

function toldUser(row: StatusUpdateRow): NonNullable<PartnerChange['told']['user']> {
  const on = (channel: Channel) => ({
    status: row[`${channel}_notify_status`],
    sent_at: toPartnerTime(row[`${channel}_notify_sent_at`]),
  });
  return { email: on('email'), whatsapp: on('whatsapp') };
}
