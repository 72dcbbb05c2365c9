import { z } from 'zod';
import { operation } from '../operation.ts';
import { filtersOfPartnerCases } from './cases.ts';
import { filtersOfChanges } from './changes.ts';
import { importPath } from './imports.ts';
import { filtersOfPartnerUsers } from './users.ts';

/** Longest wait for the first rows of a file, ms. A search looks for them among all people and cases. */
const exportDeadlineMs = 10_000;

const file = z.string();

const rules =
  'The file has all rows, in UTF-8 with a byte order mark, separated by commas, the newest first. A cell that a spreadsheet would take for a formula begins with an apostrophe, which an import takes away. The rows are read while the file is sent: if one of our services fails meanwhile, the connection breaks off and the file is incomplete; a complete file ends with the last chunk of the response.';

const ofPartners = {
  method: 'GET',
  who: ['partner'],
  role: 'editor',
  isSensitive: true,
  recorded: 'outside',
  success: { status: 200, body: file },
  errors: [],
  deadlineMs: exportDeadlineMs,
} as const;

/** Moving out: the lists as files (firm.md §6). */
export const exportOperations = {
  export_cases: operation({
    ...ofPartners,
    service: 'cases',
    path: '/v1/client/cases.csv',
    summary: 'Export cases',
    note: `Returns your cases as CSV, with the filters of the list. Imported again, the file changes nothing: its columns have the names that an import reads, and \`uscis_access_acknowledged\` says \`yes\`, because each case has an acknowledgement. ${rules} Also needs the scope \`users:read\`.`,
    scope: 'cases:read',
    file: { name: 'cases.csv', type: 'text/csv' },
    query: z.strictObject(filtersOfPartnerCases),
  }),
  export_changes: operation({
    ...ofPartners,
    service: 'cases',
    path: '/v1/client/changes.csv',
    summary: 'Export changes',
    note: `Returns the changes of your cases as CSV, with the filters of the list. ${rules} Also needs the scope \`users:read\`.`,
    scope: 'cases:read',
    file: { name: 'changes.csv', type: 'text/csv' },
    query: z.strictObject(filtersOfChanges),
  }),
  export_users: operation({
    ...ofPartners,
    service: 'identity',
    path: '/v1/client/users.csv',
    summary: 'Export users',
    note: `Returns your users as CSV, with the filters of the list. ${rules}`,
    scope: 'users:read',
    file: { name: 'users.csv', type: 'text/csv' },
    query: z.strictObject(filtersOfPartnerUsers),
  }),
  export_refused_rows: operation({
    ...ofPartners,
    service: 'cases',
    path: '/v1/client/imports/{import_id}/refused.csv',
    summary: 'Export refused rows',
    note: 'Returns the rows of an import that were refused, as they were sent, with the columns `row`, `code` and `why`: correct them and import the file. For 7 days after the end of the import. Also needs the scope `users:read`.',
    scope: 'cases:write',
    file: { name: 'refused.csv', type: 'text/csv' },
    params: importPath,
    errors: ['import_not_found'],
  }),
};
