import { z } from 'zod';
import { idText, isoTime } from '../fields.ts';
import { operation } from '../operation.ts';
import {
  caseImport,
  checkedFile,
  importColumn,
  importEnd,
  importedRow,
  importOutcome,
  partnerCaseImport,
} from '../resources/import.ts';
import { booleanText, done, maxRows, page, paging } from './common.ts';

/** Largest file or body, bytes, and most rows of one import (firm.md §6). */
export const maxImportBytes = 5 * 1024 * 1024;
export const maxImportRows = 10_000;

/** Storing 10,000 rows takes seconds, and a file of 5 MiB some more on its way. */
const importDeadlineMs = 30_000;

/** A cell as a program has it. A number is none: a phone would lose its plus, and a receipt number its zeros. */
const cell = z.union([z.string().max(maxImportBytes), z.boolean(), z.null()]).optional();

const row = z.strictObject({
  receipt_number: cell,
  email: cell,
  name: cell,
  uscis_access_acknowledged: cell,
  phone: cell,
  preferred_language: cell,
  notify_by_email: cell,
  notify_by_whatsapp: cell,
  whatsapp_consent: cell,
  description: cell,
  reference: cell,
  assignee_email: cell,
});

/** For each header of the file in turn the column that it is, or nothing. */
const columnsText = z
  .string()
  .max(12_000)
  .transform((text) => text.split(',').map((name) => (name === '' ? null : name)))
  .pipe(z.array(importColumn.nullable()).max(500))
  .optional();

export const importPath = z.strictObject({ import_id: idText });

/** Moving cases in from a file (firm.md §6). */
export const importOperations = {
  create_import: operation({
    service: 'cases',
    method: 'POST',
    path: '/v1/client/imports',
    summary: 'Import cases',
    note: 'Creates people and cases from a CSV file (`text/csv`) or from JSON, in the background: at most 5 MiB and 10,000 rows. The answer 202 says that every row is stored. A row is imported whole or refused, and says why. People are found by their e-mail address: people who exist keep their name, address, language, status and consent; only what is empty is filled, and a blank cell clears nothing. Each row must say in `uscis_access_acknowledged` that the access to the case is authorized. With `dry_run=true` nothing is written, and the outcomes are those that the import would have. Also needs the scope `users:write`.',
    who: ['partner'],
    scope: 'cases:write',
    role: 'editor',
    recorded: 'effect',
    idempotent: true,
    query: z.strictObject({
      dry_run: booleanText.default(false),
      send_verification: booleanText.default(false),
      columns: columnsText,
    }),
    consumes: ['application/json', 'text/csv'],
    maxBodyBytes: maxImportBytes,
    // More than these are refused with a code of their own.
    body: z.strictObject({ rows: z.array(row).min(1).meta({ maxItems: maxImportRows }) }),
    success: { status: 202, body: z.strictObject({ ...done, import: caseImport }) },
    errors: ['import_unreadable', 'import_too_many_rows'],
    deadlineMs: importDeadlineMs,
  }),
  check_import: operation({
    service: 'cases',
    method: 'POST',
    path: '/v1/client/imports/check',
    summary: 'Check an import file',
    note: 'Reads a CSV file as an import would, and stores nothing: which columns its headers are, how many rows it has, and the cells that would be refused, up to 100. `problem` says why the file as a whole cannot be imported. `receipts` are the receipt numbers in a text without headers. What people and cases there are is not looked up: a dry run does that.',
    who: ['partner'],
    scope: 'cases:write',
    role: 'editor',
    query: z.strictObject({ columns: columnsText }),
    consumes: ['text/csv'],
    maxBodyBytes: maxImportBytes,
    body: z.strictObject({}),
    success: { status: 200, body: z.strictObject({ ...done, file: checkedFile }) },
    errors: ['import_unreadable', 'import_too_many_rows'],
    deadlineMs: importDeadlineMs,
  }),
  list_imports: operation({
    service: 'cases',
    method: 'GET',
    path: '/v1/client/imports',
    summary: 'List imports',
    note: 'Returns the imports of the last 90 days, newest first.',
    who: ['partner'],
    scope: 'cases:write',
    role: 'editor',
    query: z.strictObject(paging),
    success: {
      status: 200,
      body: z.strictObject({ imports: z.array(partnerCaseImport).max(maxRows), ...page }),
    },
    errors: ['invalid_cursor'],
  }),
  get_import: operation({
    service: 'cases',
    method: 'GET',
    path: '/v1/client/imports/{import_id}',
    summary: 'Get an import',
    note: 'Retrieves the progress of an import. `rows` is the sum of `waiting`, `created`, `updated`, `unchanged` and `refused`. When it is over, `end` says what is left to do: how many of its cases ask for an answer now, and how many of its people have not verified their address. `end` is null before, of a dry run, 7 days later, and while people cannot be read.',
    who: ['partner'],
    scope: 'cases:write',
    role: 'editor',
    params: importPath,
    success: {
      status: 200,
      body: z.strictObject({ import: partnerCaseImport, end: importEnd.nullable() }),
    },
    errors: ['import_not_found'],
  }),
  list_import_rows: operation({
    service: 'cases',
    method: 'GET',
    path: '/v1/client/imports/{import_id}/rows',
    summary: 'List rows of an import',
    note: 'Returns the rows of an import in their order, for 7 days after its end. `outcome=refused` returns those that were refused, with the reason.',
    who: ['partner'],
    scope: 'cases:write',
    role: 'editor',
    params: importPath,
    query: z.strictObject({ ...paging, outcome: importOutcome.optional() }),
    success: { status: 200, body: z.strictObject({ rows: z.array(importedRow).max(maxRows), ...page }) },
    errors: ['import_not_found', 'invalid_cursor'],
  }),
  send_import_verifications: operation({
    service: 'cases',
    method: 'POST',
    path: '/v1/client/imports/{import_id}/send-verifications',
    summary: 'Send verification e-mails to the people of an import',
    note: 'Sends an e-mail to verify their address to the people of an import who have not verified it and got no such e-mail since the import began: at most 200 an hour for all of your imports. Call it again for the others: nobody gets it twice. `left` says how many there are, and `next_at` when the next e-mail may be sent. For 7 days after the end of the import. Also needs the scope `users:write`.',
    who: ['partner'],
    scope: 'cases:write',
    role: 'editor',
    recorded: 'outside',
    params: importPath,
    body: z.strictObject({}),
    success: {
      status: 200,
      body: z.strictObject({
        ...done,
        sent: z.int().min(0).max(maxImportRows),
        left: z.int().min(0).max(maxImportRows),
        next_at: isoTime.nullable(),
      }),
    },
    errors: ['import_not_found'],
    deadlineMs: importDeadlineMs,
  }),
  cancel_import: operation({
    service: 'cases',
    method: 'DELETE',
    path: '/v1/client/imports/{import_id}',
    summary: 'Cancel an import',
    note: 'Cancels the rows that wait. What was imported stays.',
    who: ['partner'],
    scope: 'cases:write',
    role: 'editor',
    recorded: 'effect',
    params: importPath,
    success: { status: 200, body: z.strictObject({ ...done, import: caseImport }) },
    errors: ['import_not_found', 'import_not_cancellable'],
  }),
};
