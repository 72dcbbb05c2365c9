import { toPartnerTime, userCaseId } from '@casewatch/contracts';
import { ApiError, csvFile, type Handler } from '@casewatch/platform';
import { assertMaySeePeople } from '../clients/identity.ts';
import type { Context } from '../context.ts';
import { monitoringOf } from '../rules/watching.ts';
import type { ExportedCase } from '../store/cases.ts';
import { findByText } from './list-cases.ts';

/** First the columns that an import reads (imports/columns.ts), then what it passes over. */
const head = [
  'receipt_number',
  'email',
  'name',
  'uscis_access_acknowledged',
  'description',
  'reference',
  'assignee_email',
  'case_ref',
  'user_id',
  'active',
  'form_type',
  'status',
  'category',
  'status_modified',
  'monitoring',
  'respond_by',
  'respond_by_source',
  'respond_done_at',
  'update_count',
  'created_at',
  'last_checked',
];

/** GET /v1/client/cases.csv. Never without names: a page whose people are not known ends the file. */
export function exportCases(ctx: Context): Handler<'export_cases'> {
  return async ({ caller, query: { q, ...filters } }) => {
    assertMaySeePeople(caller);
    const { partner_id } = caller;
    const found = q === undefined ? null : await findByText(ctx, caller, q);
    if (found?.more)
      throw new ApiError('invalid_parameter', {
        message:
          'More people or cases match `q` than a search can find. Send more letters, or another filter.',
      });
    const filter = { ...filters, partner_id, ...(found && { ids: found.ids }) };
    const members = await ctx.identity.staffByEmail(partner_id);
    const addressOf = new Map([...members].map(([email, { id }]) => [id, email]));
    const file = await csvFile<ExportedCase>({
      head,
      read: (after, limit) =>
        ctx.stores.cases.exportPage({ filter, field: 'created_at', direction: -1, after, limit }),
      positionOf: ({ created_at, _id }) => [created_at.toISOString(), _id],
      async linesOf(rows) {
        const userIds = rows.map(({ user_id }) => user_id);
        const people = await ctx.identity.pageOfPeople(caller, userIds);
        // The case of a deleted user is about to be erased.
        return rows.flatMap((row) => {
          const user = people.of(row.user_id)?.user;
          return user ? [cellsOf(row, user, addressOf.get(row.assignee_id ?? 0) ?? null)] : [];
        });
      },
    });
    return { file };
  };
}

function cellsOf(row: ExportedCase, user: { email: string; name: string }, assignee: string | null) {
  const { latest_update: latest, respond_by, respond_done } = row;
  return [
    row.receipt_number,
    user.email,
    user.name,
    // Each case has an acknowledgement.
    'yes',
    row.description,
    row.reference,
    assignee,
    userCaseId(row._id),
    row.user_id,
    row.active,
    latest?.form_type ?? null,
    latest?.status_code ?? null,
    latest?.category ?? null,
    toPartnerTime(latest?.modified_date ?? null),
    monitoringOf(row).state,
    respond_by?.date ?? null,
    respond_by?.source ?? null,
    toPartnerTime(respond_done?.at ?? null),
    row.update_count,
    toPartnerTime(row.created_at),
    toPartnerTime(row.last_checked),
  ];
}
