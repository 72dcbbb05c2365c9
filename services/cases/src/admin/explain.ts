import { channel } from '@casewatch/contracts';
import {
  defineCommand,
  type ExplainedStep,
  explainedCase,
  explainReport,
  RefusedError,
  type Report,
} from '@casewatch/platform';
import { z } from 'zod';
import type { CaseRow } from '../store/cases.ts';
import type { StatusUpdateRow } from '../store/status-updates.ts';
import type { Stores } from '../store/stores.ts';

const service = 'cases';
/** More updates than a case has. */
const maxUpdates = 1_000;

/** Opens the database for the time of the work. */
export type CasesAdmin = { withStores(read: (stores: Stores) => Promise<Report>): Promise<Report> };

/** The case and its status updates. */
export const explain = defineCommand({
  words: 'explain',
  options: z.strictObject({ case: explainedCase }),
  form: '--case 7',
  run: ({ withStores }: CasesAdmin, { case: id }) =>
    withStores(async (stores) => {
      const row = await stores.cases.find(id);
      if (!row) throw new RefusedError('There is no such case.');
      const updates = await stores.statusUpdates.page(id, { after: null, limit: maxUpdates });
      return explainReport([...ofCase(row), ...updates.flatMap(ofUpdate)]);
    }),
});

function ofCase(row: CaseRow): ExplainedStep[] {
  const { _id, user_id, partner_id, active, created_at, updated_at, overdue_since } = row;
  const owner = partner_id === null ? `user ${user_id}` : `user ${user_id} of partner ${partner_id}`;
  return [
    { at: created_at, service, text: `case ${_id} created for ${owner}` },
    { at: updated_at, service, text: `last change: the case is ${active ? 'active' : 'not active'}` },
    ...(overdue_since ? [{ at: overdue_since, service, text: 'the check is overdue' }] : []),
  ];
}

/** Title and reason are texts of USCIS and of the notifier; the description can name a person. */
function ofUpdate(row: StatusUpdateRow): ExplainedStep[] {
  const told = channel.options.map((name) => {
    const error = row[`${name}_notify_last_error`];
    return `${name} ${row[`${name}_notify_status`]}${error === null ? '' : ` (${error})`}`;
  });
  const text = `status update ${row._id}, observation ${row.observation}, ${row.kind}: ${row.status_code}; ${told.join(', ')}`;
  return [{ at: row.timestamp, service, text }];
}
