import { z } from 'zod';
import { id, isoTime, partnerTime } from '../fields.ts';
import { caseSummary } from './case.ts';

export const importState = z.enum(['waiting', 'running', 'done', 'cancelled']);

/** What became of a row. `waiting`: nothing yet; of an import that was cancelled, nothing any more. */
export const importOutcome = z.enum(['waiting', 'created', 'updated', 'unchanged', 'refused']);

const count = z.int().min(0).max(10_000);

/** Rows in all, and by outcome: `rows` is the sum of the five. */
export const importCounts = {
  rows: count,
  waiting: count,
  created: count,
  updated: count,
  unchanged: count,
  refused: count,
};

const state = { id, state: importState, dry_run: z.boolean(), ...importCounts };

/** Cases that are moved in from a file. */
export const caseImport = z.strictObject({
  ...state,
  created_at: isoTime,
  finished_at: isoTime.nullable(),
});

/** What a firm does after an import: of its cases and people as they are now. */
export const importEnd = z.strictObject({
  cases_asking: count,
  people_unverified: count,
  people_without_mail: count,
});

/** With the times of GET under /v1/client. */
export const partnerCaseImport = z.strictObject({
  ...state,
  created_at: partnerTime,
  finished_at: partnerTime.nullable(),
});

/**
 * One row of an import. `row`: of a file as a spreadsheet counts it, of JSON from 1. `code`: of the error that refused it, or
 * `name_differs`: the person with this address has another name, which was kept.
 */
export const importedRow = z.strictObject({
  row: z.int().min(1),
  outcome: importOutcome,
  code: z.string().max(64).nullable(),
  message: z.string().max(2_000).nullable(),
  user_id: id.nullable(),
  case_ref: caseSummary.shape.user_case_id.nullable(),
});

/** What a row of a file can say (firm.md §6). */
export const importColumn = z.enum([
  'receipt_number',
  'email',
  'name',
  'uscis_access_acknowledged',
  'phone',
  'preferred_language',
  'notify_by_email',
  'notify_by_whatsapp',
  'whatsapp_consent',
  'description',
  'reference',
  'assignee_email',
]);

/** What is wrong with a cell. `column` null: with the whole row. */
export const importFault = z.strictObject({
  row: z.int().min(1),
  column: importColumn.nullable(),
  value: z.string().max(200),
  message: z.string().max(500),
});

/** What an import would read of a file. */
export const checkedFile = z.strictObject({
  headers: z.array(z.strictObject({ text: z.string().max(200), column: importColumn.nullable() })).max(500),
  problem: z.string().max(1_000).nullable(),
  rows: count,
  fault_count: z.int().min(0),
  faults: z.array(importFault).max(100),
  receipts: z.array(z.string().max(13)).max(1_000),
  acknowledgement_version: z.string().max(40),
});

export type ImportColumn = z.infer<typeof importColumn>;
export type ImportEnd = z.infer<typeof importEnd>;
export type ImportFault = z.infer<typeof importFault>;
export type CheckedFile = z.infer<typeof checkedFile>;
export type ImportState = z.infer<typeof importState>;
export type ImportOutcome = z.infer<typeof importOutcome>;
export type CaseImport = z.infer<typeof caseImport>;
export type PartnerCaseImport = z.infer<typeof partnerCaseImport>;
export type ImportedRow = z.infer<typeof importedRow>;
