import { setImmediate } from 'node:timers/promises';
import {
  type CaseImport,
  type ImportedRow,
  type ImportFault,
  maxImportRows,
  type PartnerCaseImport,
  toIso,
  toPartnerTime,
  userCaseId,
} from '@casewatch/contracts';
import { ApiError, acted, type Call, csvFile, type Handler, readPage } from '@casewatch/platform';
import { transaction } from '@casewatch/platform/database';
import { assertMaySeePeople } from '../clients/identity.ts';
import type { Context } from '../context.ts';
import type { TimeFormat } from '../present/case.ts';
import type { ImportItem, ImportRow } from '../store/imports.ts';
import { type CheckedRow, checkRow, type Fault } from './check-row.ts';
import { type Cells, columns } from './columns.ts';
import { endOf } from './import-end.ts';
import type { KeptRow } from './import-secrets.ts';
import { assertMayMakePeople, ownImport } from './own-import.ts';
import { type FileRow, inspectImportFile, readImportFile, unreadLine } from './read-file.ts';

/** POST /v1/client/imports. The answer says that every row is stored; the loop `runImports` does the work. */
export function createImport(ctx: Context): Handler<'create_import'> {
  return async (call) => {
    const { caller, address, query, remember } = call;
    const { dry_run, send_verification } = query;
    assertMayMakePeople(caller);
    const { rows, ignored } = await rowsOf(call);
    const { key_id, staff_id = null } = caller;
    const actor = { key_id: staff_id === null ? key_id : null, staff_id, address };
    const row: ImportRow = {
      _id: await ctx.ids.next('imports'),
      partner_id: caller.partner_id,
      state: 'waiting',
      dry_run,
      send_verification,
      actor,
      rows: rows.length,
      counts: null,
      created_at: ctx.clock.now(),
      finished_at: null,
      tried_at: null,
    };
    const items = rows.map((one) => toItem(ctx, row, one));
    const counts = {
      rows: rows.length,
      waiting: rows.length,
      created: 0,
      updated: 0,
      unchanged: 0,
      refused: 0,
    };
    const answer = {
      headers: { location: `/v1/client/imports/${row._id}` },
      body: {
        success: true,
        message: `${sentence(rows.length, row.dry_run)}${notRead(ignored)}`,
        import: present(row, counts, toIso),
      },
    } as const;
    await transaction(ctx.db, async (session) => {
      await ctx.stores.imports.insert(session, row, items);
      acted('import', row._id);
      await remember(session, answer);
    });
    ctx.signals.emit('imports');
    return answer;
  };
}

/** POST /v1/client/imports/check. Stores nothing, and looks nobody up. */
export function checkImport(ctx: Context): Handler<'check_import'> {
  return async ({ bytes, query }) => {
    const { headers, columns: read, problem, rows, receipts } = await inspectImportFile(bytes, query.columns);
    const faults: ImportFault[] = [];
    let fault_count = 0;
    for (const [i, { row, cells, fault }] of rows.entries()) {
      const found =
        fault === null ? faultsOf(checkRow(cells)) : [{ column: null, message: `The row ${fault}.` }];
      fault_count += found.length;
      for (const { column, message } of found.slice(0, maxFaults - faults.length))
        faults.push({ row, column, message, value: column ? (cells[column] ?? '').slice(0, 200) : '' });
      // Others get their turn.
      if (i % rowsTogether === 0) await setImmediate();
    }
    const file = {
      headers: headers
        .slice(0, maxHeaders)
        .map((header, i) => ({ text: header.trim().slice(0, 200), column: read[i] ?? null })),
      problem,
      rows: rows.length,
      fault_count,
      faults,
      receipts,
      acknowledgement_version: ctx.config.USCIS_ACCESS_ACK_VERSION,
    };
    return { body: { success: true, message: 'Nothing was stored.', file } };
  };
}

function faultsOf({ refusal }: CheckedRow): readonly Fault[] {
  return refusal?.faults ?? [];
}

const maxFaults = 100;
const maxHeaders = 500;
const rowsTogether = 100;

/** GET /v1/client/imports */
export function listImports(ctx: Context): Handler<'list_imports'> {
  return async ({ caller, query: { limit, cursor } }) => {
    const { rows, page } = await readPage<ImportRow>({
      cursors: ctx.cursors,
      scope: { operation: 'list_imports', caller, filters: {}, sort: '-created_at' },
      cursor,
      limit,
      read: (after, count) => ctx.stores.imports.page(caller.partner_id, { after, limit: count }),
      positionOf: ({ created_at, _id }) => [created_at.getTime(), _id],
    });
    const imports = await Promise.all(rows.map((row) => shown(ctx, row)));
    return { body: { imports, ...page } };
  };
}

/** GET /v1/client/imports/{import_id} */
export function getImport(ctx: Context): Handler<'get_import'> {
  return async ({ caller, params }) => {
    const row = await ownImport(ctx, caller, params.import_id);
    const [imported, end] = await Promise.all([shown(ctx, row), endOf(ctx, row)]);
    return { body: { import: imported, end } };
  };
}

/** GET /v1/client/imports/{import_id}/rows */
export function listImportRows(ctx: Context): Handler<'list_import_rows'> {
  return async ({ caller, params, query: { limit, cursor, outcome } }) => {
    const { _id } = await ownImport(ctx, caller, params.import_id);
    const { rows, page } = await readPage<ImportItem>({
      cursors: ctx.cursors,
      scope: { operation: 'list_import_rows', caller, filters: { import_id: _id, outcome }, sort: 'row' },
      cursor,
      limit,
      read: (after, count) => ctx.stores.imports.rowsPage(_id, { outcome, after, limit: count }),
      positionOf: ({ row }) => [row, row],
    });
    return { body: { rows: rows.map(presentRow), ...page } };
  };
}

/** GET /v1/client/imports/{import_id}/refused.csv: what was sent, and why it was refused. Corrected, it can be imported. */
export function exportRefusedRows(ctx: Context): Handler<'export_refused_rows'> {
  return async ({ caller, params }) => {
    // The rows have names and addresses.
    assertMaySeePeople(caller);
    const { _id } = await ownImport(ctx, caller, params.import_id);
    const file = await csvFile<ImportItem>({
      head: [...columns, 'row', 'code', 'why', unreadLine],
      read: (after, limit) => ctx.stores.imports.refused(_id, { after, limit }),
      positionOf: ({ row }) => [null, row],
      async linesOf(rows) {
        return rows.map((item) => {
          const kept: KeptRow = item.payload === null ? {} : ctx.importSecrets.open(item.payload, item._id);
          const cells = columns.map((column) => kept[column] ?? null);
          return [...cells, item.row, item.code, item.message, kept[unreadLine] ?? null];
        });
      },
    });
    return { file };
  };
}

/** DELETE /v1/client/imports/{import_id}. A row that is being imported may still be done; the counts then say so. */
export function cancelImport(ctx: Context): Handler<'cancel_import'> {
  return async ({ caller, params }) => {
    const { row, isCancelled } = await transaction(ctx.db, async (session) => {
      const before = await ownImport(ctx, caller, params.import_id, session);
      if (before.state === 'done') throw new ApiError('import_not_cancellable');
      const isCancelled = await ctx.stores.imports.cancel(session, before._id);
      if (isCancelled) acted('import', before._id);
      return { row: await ownImport(ctx, caller, params.import_id, session), isCancelled };
    });
    ctx.signals.emit('imports');
    const message = isCancelled
      ? 'Import cancelled. What was imported stays.'
      : 'The import was cancelled before.';
    const counts = await ctx.stores.imports.countsOf(row);
    return { body: { success: true, message, import: present(row, counts, toIso) } };
  };
}

/** @throws ApiError import_unreadable, import_too_many_rows */
async function rowsOf({
  bytes,
  body,
  query: { columns: chosen },
}: Call<'create_import'>): Promise<{ rows: FileRow[]; ignored: string[] }> {
  // A file is in `bytes`, also an empty one, and JSON is parsed.
  if (body.rows === undefined) return await readImportFile(bytes, chosen);
  if (body.rows.length > maxImportRows) throw new ApiError('import_too_many_rows');
  const rows = body.rows.map((given, i) => {
    const cells: Cells = {};
    for (const column of columns) {
      const value = given[column] ?? '';
      cells[column] = String(value).trim();
    }
    return { row: i + 1, cells, fault: null, line: null };
  });
  return { rows, ignored: [] };
}

function toItem(
  ctx: Context,
  { _id: import_id }: ImportRow,
  { row, cells, fault, line }: FileRow,
): ImportItem {
  const _id = `${import_id}:${row}`;
  const isReadable = fault === null;
  return {
    _id,
    import_id,
    row,
    // Rows of one address depend on each other. One without an address is refused, and depends on none.
    person: cells.email ? ctx.importSecrets.personOf(cells.email) : _id,
    outcome: 'waiting',
    // Of a row that will be refused with it.
    code: isReadable ? null : 'import_unreadable',
    message: isReadable ? null : `The row ${fault}.`,
    user_id: null,
    case_id: null,
    payload: ctx.importSecrets.seal(line === null ? cells : { ...cells, [unreadLine]: line }, _id),
    begun: false,
    done_case: null,
    expires_at: null,
  };
}

async function shown(ctx: Context, row: ImportRow): Promise<PartnerCaseImport> {
  return present(row, await ctx.stores.imports.countsOf(row), toPartnerTime);
}

function present(
  { _id: id, state, dry_run, created_at, finished_at }: ImportRow,
  counts: NonNullable<ImportRow['counts']>,
  time: TimeFormat,
): CaseImport {
  const { rows, waiting, created, updated, unchanged, refused } = counts;
  return {
    id,
    state,
    dry_run,
    rows,
    waiting,
    created,
    updated,
    unchanged,
    refused,
    created_at: time(created_at),
    finished_at: time(finished_at),
  };
}

function presentRow({ row, outcome, user_id, case_id, ...said }: ImportItem): ImportedRow {
  const { code, message } = outcome === 'waiting' ? { code: null, message: null } : said;
  return { row, outcome, code, message, user_id, case_ref: case_id === null ? null : userCaseId(case_id) };
}

function sentence(rows: number, isDryRun: boolean): string {
  const stored = `${rows} ${rows === 1 ? 'row is' : 'rows are'} stored`;
  return isDryRun ? `${stored}; nothing will be written.` : `${stored} and will be imported.`;
}

function notRead(ignored: readonly string[]): string {
  if (ignored.length === 0) return '';
  const names = ignored.slice(0, 10).map((header) => `"${header.trim().slice(0, 40)}"`);
  const more = ignored.length > names.length ? ', and more' : '';
  return ` Columns that are not read: ${names.join(', ')}${more}.`;
}
