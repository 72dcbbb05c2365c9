import {
  description,
  type ErrorCode,
  email,
  faultTexts,
  isErrorCode,
  language,
  type Language,
  matterReference,
  name,
  phone,
  receiptNumber,
} from '@casewatch/contracts';
import type { z } from 'zod';
import type { Cells, Column } from './columns.ts';

/** A row that can be imported. Null: the cell is blank, which clears nothing. */
export type ImportedRow = {
  receipt_number: string;
  email: string;
  name: string;
  phone: string | null;
  preferred_language: Language | null;
  notify_by_email: boolean | null;
  notify_by_whatsapp: boolean | null;
  whatsapp_consent: boolean | null;
  description: string | null;
  reference: string | null;
  /** In lower case. */
  assignee_email: string | null;
};

export type Refusal = { code: ErrorCode; message: string; faults: readonly Fault[] };

export type CheckedRow = { row: ImportedRow; refusal: null } | { row: null; refusal: Refusal };

export type Fault = { column: Column; code: string; message: string };

/** What somebody writes into a column of yes and no (firm.md §6), without accents and in lower case. */
const yes = ['true', 'yes', '1', 'si', 'sim', 'x'];
const no = ['false', 'no', '0', 'nao'];

/** Everything about a row that its cells alone decide. A faulty one names all of its faults. */
export function checkRow(cells: Cells): CheckedRow {
  const faults: Fault[] = [];
  const fault = (column: Column, code: string, message: string) => faults.push({ column, code, message });

  function read<T>(column: Column, schema: z.ZodType<T>, text = cells[column] ?? ''): T | null {
    if (text === '') return null;
    const { data, error } = schema.safeParse(text, { error: faultTexts });
    if (error === undefined) return data;
    const [issue] = error.issues;
    const code = issue?.code === 'custom' ? String(issue.params?.code ?? '') : '';
    fault(column, code, issue?.message ?? 'is invalid');
    return null;
  }
  function needed<T>(column: Column, schema: z.ZodType<T>): T | null {
    if ((cells[column] ?? '') === '') fault(column, 'required', 'is blank');
    return read(column, schema);
  }
  function flag(column: Column): boolean | null {
    const text = cells[column] ?? '';
    if (text === '') return null;
    const word = folded(text);
    if (yes.includes(word)) return true;
    if (no.includes(word)) return false;
    fault(column, 'invalid_value', 'must be one of true, yes, 1, sí, sim, x; or false, no, 0, não');
    return null;
  }

  const receipt = needed('receipt_number', receiptNumber);
  const address = needed('email', email);
  const person = needed('name', name);
  // No other column, default or request says it (firm.md §6: nobody consents for others).
  if (!yes.includes(folded(cells.uscis_access_acknowledged ?? '')))
    fault(
      'uscis_access_acknowledged',
      'uscis_access_not_acknowledged',
      'must be one of true, yes, 1, sí, sim, x: only if this client, or the counsel, authorized the access',
    );
  const row = {
    phone: read('phone', phone),
    preferred_language: read('preferred_language', language, cells.preferred_language?.toLowerCase()),
    notify_by_email: flag('notify_by_email'),
    notify_by_whatsapp: flag('notify_by_whatsapp'),
    whatsapp_consent: flag('whatsapp_consent'),
    description: read('description', description),
    reference: read('reference', matterReference),
    assignee_email: read('assignee_email', email)?.toLowerCase() ?? null,
  };
  if (row.notify_by_whatsapp === true && row.whatsapp_consent !== true)
    fault('whatsapp_consent', 'required', 'must say yes where notify_by_whatsapp does');
  if (row.notify_by_whatsapp === true && (cells.phone ?? '') === '')
    fault('phone', 'required', 'is needed where notify_by_whatsapp says yes');
  if (faults.length > 0 || receipt === null || address === null || person === null)
    return { row: null, refusal: refusalOf(faults) };
  return { row: { receipt_number: receipt, email: address, name: person, ...row }, refusal: null };
}

/** The code is that of the faults, if they have only one and the catalogue has it: as of a request (call.ts of the platform). */
function refusalOf(faults: readonly Fault[]): Refusal {
  const codes = [...new Set(faults.map(({ code }) => code))];
  const [code = ''] = codes;
  const message = `${faults.map(({ column, message }) => `${column} ${message}`).join('; ')}.`;
  return { code: codes.length === 1 && isErrorCode(code) ? code : 'validation_failed', message, faults };
}

function folded(text: string): string {
  return text.normalize('NFKD').replace(/\p{M}/gu, '').trim().toLowerCase();
}
