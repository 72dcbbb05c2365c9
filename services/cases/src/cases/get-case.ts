import { type Acknowledgement, type Caller, type Success, toIso, toPartnerTime } from '@casewatch/contracts';
import { ApiError, type Handler, readPage } from '@casewatch/platform';
import { maySeePeople } from '../clients/identity.ts';
import type { Context } from '../context.ts';
import {
  presentAdditions,
  presentEmbeddedUser,
  presentMonitoring,
  presentPartnerCase,
  presentStatusUpdate,
  shownOfUser,
  type TimeFormat,
} from '../present/case.ts';
import { presentReviewer, staffIdsOf } from '../present/reviewer.ts';
import { alertedStaffIds, toldStaff } from '../present/told-staff.ts';
import type { AcknowledgementRow } from '../store/acknowledgements.ts';
import type { CaseRow } from '../store/cases.ts';
import type { StatusUpdateRow } from '../store/status-updates.ts';
import { ownCase } from './own-case.ts';

const updatesPerPage = 100;

/** GET /v1/users/{user_id}/cases/{case_ref} */
export function getCase(ctx: Context): Handler<'get_case'> {
  return async ({ caller, params, query }) => {
    const { body } = await readCase(ctx, {
      operation: 'get_case',
      caller,
      ref: params.case_ref,
      userId: params.user_id,
      cursor: query.updates_cursor,
      time: toIso,
    });
    return { body };
  };
}

/** GET /v1/client/cases/{case_ref} */
export function getPartnerCase(ctx: Context): Handler<'get_partner_case'> {
  return async ({ caller, params, query }) => {
    const { row, body, updates } = await readCase(ctx, {
      operation: 'get_partner_case',
      caller,
      ref: params.case_ref,
      cursor: query.updates_cursor,
      time: toPartnerTime,
    });
    const [assignees, names] = await Promise.all([
      ctx.identity.assigneesOf(caller.partner_id, [row]),
      ctx.identity.namesOfStaff(caller.partner_id, [
        ...alertedStaffIds(updates),
        ...staffIdsOf([row.respond_done?.by]),
      ]),
    ]);
    const told = updates
      .map((update) => ({ status_update_id: update._id, staff: toldStaff(update, names, toPartnerTime) }))
      .filter(({ staff }) => staff.length > 0);
    const { respond_done, ...additions } = presentAdditions(row, assignees.of(row), toPartnerTime);
    const done = respond_done && { ...respond_done, by: presentReviewer(respond_done.by, names) };
    const shown = { ...body.case, ...additions, respond_done: done };
    return { body: { ...body, case: shown, told } };
  };
}

type CaseRequest = {
  operation: 'get_case' | 'get_partner_case';
  caller: Caller;
  ref: string;
  userId?: number;
  cursor: string | undefined;
  time: TimeFormat;
};

/** @throws ApiError case_not_found, invalid_cursor */
async function readCase(
  ctx: Context,
  request: CaseRequest,
): Promise<{ row: CaseRow; updates: readonly StatusUpdateRow[]; body: Success<'get_case'> }> {
  const { caller, ref, userId, time } = request;
  const row = await ownCase(ctx, caller, { ref, userId });
  const [user, updates] = await Promise.all([
    ctx.identity.findUser(row.user_id, shownOfUser),
    findUpdates(ctx, row, request),
  ]);
  if (user === null) throw new ApiError('case_not_found');

  const view = { language: user.preferred_language, time, now: ctx.clock.now() };
  const body = {
    case: {
      ...presentPartnerCase(row, view),
      user: maySeePeople(caller) ? presentEmbeddedUser(user) : null,
    },
    status_updates: updates.rows.map((update) => presentStatusUpdate(update, view)),
    update_count: row.update_count,
    updates_cursor: updates.page.next_cursor,
    monitoring: presentMonitoring(row, time),
  };
  return { row, updates: updates.rows, body };
}

async function findUpdates(ctx: Context, row: CaseRow, { operation, caller, cursor }: CaseRequest) {
  const { statusUpdates } = ctx.stores;
  return await readPage<StatusUpdateRow>({
    cursors: ctx.cursors,
    scope: { operation, caller, filters: { case_id: row._id }, sort: '-observation' },
    cursor,
    parameter: 'updates_cursor',
    limit: updatesPerPage,
    read: (after, limit) => statusUpdates.page(row._id, { after, limit }),
    positionOf: ({ observation, _id }) => [observation, _id],
  });
}

/** GET /v1/client/cases/{case_ref}/acknowledgements */
export function listAcknowledgements(ctx: Context): Handler<'list_acknowledgements'> {
  return async ({ caller, params }) => {
    const { _id } = await ownCase(ctx, caller, { ref: params.case_ref });
    const rows = await ctx.stores.acknowledgements.ofCase(_id);
    const names = await ctx.identity.namesOfStaff(
      caller.partner_id,
      rows.flatMap(({ staff_id }) => staff_id ?? []),
    );
    const acknowledgements = rows.map((row) => presentAcknowledgement(row, names, toPartnerTime));
    return { body: { acknowledgements } };
  };
}

function presentAcknowledgement(
  row: AcknowledgementRow,
  names: ReadonlyMap<number, string>,
  time: TimeFormat,
): Acknowledgement {
  const { staff_id } = row;
  return {
    version: row.version,
    acknowledged_at: time(row.acknowledged_at),
    acknowledged_by: row.partner_id === null ? 'user' : 'partner',
    key_id: row.key_id === null ? null : Number(row.key_id),
    staff_member: staff_id === null ? null : { id: staff_id, name: names.get(staff_id) ?? '' },
    import: row.import ?? null,
  };
}
