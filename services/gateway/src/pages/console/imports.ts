import { type CheckedFile, idText, importColumn, type Success } from '@casewatch/contracts';
import { ApiError, html, type Markup } from '@casewatch/platform';
import { z } from 'zod';
import { dropScript } from '../assets.ts';
import type { Refusal, View } from '../page.ts';
import { notice, pageHead, pill, section, stats, wholeNumber } from '../parts/blocks.ts';
import { buttonForm, checked, hidden, optionalText } from '../parts/form.ts';
import { emptyState, pager, table, withQuery } from '../parts/table.ts';
import { type ConsoleCall, can, consolePage } from './console-page.ts';
import { counted } from './selection.ts';

// Moving cases in from a file (firm.md §6). The file goes from page to page in the form itself, so nothing is stored before somebody
// imports it, and all of it works without a script.

const path = '/console/imports';
const importPath = z.object({ import_id: idText });
const base64 = z.string().regex(/^[A-Za-z0-9+/]*={0,2}$/);

/** Of a column `column_3`: what the header at place 3 is, by hand. */
const columnName = /^column_(\d{1,3})$/;

const upload = z.looseObject({
  /** As it was chosen, or as an earlier page had it. */
  file: base64.optional(),
  text: z.string().optional(),
  to: z.enum(['check', 'try', 'run']).default('check'),
  /** The number of rows, as the member types it. */
  count: optionalText,
  send_verification: checked,
  idempotency_key: optionalText,
});

const importList = consolePage({
  method: 'GET',
  path,
  scope: 'cases:write',
  query: z.object({ cursor: optionalText }),
  handle: (call) => listView(call, call.query.cursor, null),
});

async function listView(
  call: ConsoleCall,
  cursor: string | undefined,
  refusal: Refusal | null,
): Promise<View> {
  const { imports, next_cursor } = await call.ask('list_imports', { query: { limit: '20', cursor } });
  // Rows that cannot be read come back, to be corrected.
  const pasted = refusal?.posted.text;
  const main = html`${pageHead({ title: 'Import', back: { href: '/console/cases', text: 'Cases' }, sub: 'Move cases in from a list: a CSV file, up to 10,000 rows and 5 MB.' })}
${refusal && notice('bad', refusal.message)}
${uploadForm(typeof pasted === 'string' ? pasted : '')}
${section(
  'Imports of the last 90 days',
  html`${table({
    caption: 'Imports',
    head: ['Started', 'State', 'Rows', 'New', 'Changed', 'Unchanged', 'Refused'],
    rows: imports.map((one) => [
      html`<a href="${path}/${one.id}">${call.times.ago(isoOf(one.created_at))}</a>`,
      statePill(one),
      ...[one.rows, one.created, one.updated, one.unchanged, one.refused].map(wholeNumber),
    ]),
    empty: emptyState({ title: 'No imports yet', text: 'What you import is listed here.' }),
  })}
${pager({ url: call.url, next: next_cursor })}`,
)}`;
  return { title: 'Import', main };
}

/** A file, or the same as text: copied cells of a spreadsheet are separated by tabs. */
function uploadForm(text: string): Markup {
  return html`<form method="post" action="${path}" enctype="multipart/form-data" class="form" data-drop>
<div class="field"><label for="f-file">File</label>
<input id="f-file" name="file" type="file" accept=".csv,.tsv,.txt,text/csv" aria-describedby="h-file"><p class="hint" id="h-file">CSV, as spreadsheets and case systems save it. From Excel: File, Save as, “CSV UTF-8”. You can also drop it here.</p></div>
<div class="field"><label for="f-text">Or paste the rows, with their headers</label>
<textarea id="f-text" name="text" rows="6" spellcheck="false" aria-describedby="h-text">${text}</textarea>
<p class="hint" id="h-text">Four columns are needed: receipt number, e-mail, name, and uscis_access_acknowledged, which says <b>yes</b> in each row whose client, or counsel, authorized access. Any text with receipt numbers works as a start.</p></div>
<div class="actions"><button type="submit" class="button primary">Check the file</button></div>
</form>
<script type="module" src="${dropScript.path}"></script>`;
}

/** Checks, tries or imports what was sent. Importing needs the number of rows, typed: the server counts them again. */
const receiveFile = consolePage({
  method: 'POST',
  path,
  scope: 'cases:write',
  form: upload,
  takesFile: true,
  async handle(call) {
    const { form, ask } = call;
    const bytes = form.file ? Buffer.from(form.file, 'base64') : Buffer.from(form.text ?? '');
    if (bytes.length === 0)
      throw new ApiError('validation_failed', {
        message: 'Choose a file that is not empty, or paste some rows.',
      });
    const columns = columnsOf(form);
    const query = columns === undefined ? {} : { columns };
    const { file } = await ask('check_import', { query, file: bytes });
    const shown = { file, bytes, columns };
    if (form.to === 'check' || file.problem !== null) return checkedView(call, shown, null);
    const typed = (form.count ?? '').replaceAll(/[\s,.]/g, '');
    if (form.to === 'run' && typed !== String(file.rows))
      return checkedView(
        call,
        shown,
        `Type ${file.rows}, the number of rows, to confirm the acknowledgement.`,
      );
    const { import: made } = await ask('create_import', {
      query: {
        ...query,
        dry_run: String(form.to === 'try'),
        send_verification: String(form.send_verification),
      } as never,
      file: bytes,
      idempotencyKey: form.idempotency_key,
    });
    return { to: `${path}/${made.id}` };
  },
  refused: (call, refusal) => listView(call, undefined, refusal),
});

/** As the operations take them; undefined while nobody chose by hand. */
function columnsOf(form: Record<string, unknown>): string | undefined {
  const chosen = Object.entries(form).flatMap(([name, value]) => {
    const place = columnName.exec(name)?.[1];
    return place === undefined ? [] : [[Number(place), String(value)] as const];
  });
  if (chosen.length === 0) return undefined;
  const byPlace = new Map(chosen);
  return Array.from({ length: Math.max(...byPlace.keys()) + 1 }, (_, i) => byPlace.get(i) ?? '').join(',');
}

type Shown = { readonly file: CheckedFile; readonly bytes: Buffer; readonly columns: string | undefined };

function checkedView(_: ConsoleCall, { file, bytes }: Shown, wrong: string | null): View {
  const isReady = file.problem === null;
  const again = file.receipts.length > 0 ? receiptsFound(file.receipts) : null;
  const isText = again !== null && !isTable(file);
  const main = html`${pageHead({ title: 'Check the file', back: { href: path, text: 'Import' }, sub: isReady ? counted(file.rows, 'row') : null })}
${wrong !== null && notice('bad', wrong)}
${!isReady && !isText && notice('bad', file.problem ?? '')}
${
  !isText &&
  html`<form method="post" action="${path}" enctype="multipart/form-data" class="form">
${hidden('file', bytes.toString('base64'))}
${columnFields(file)}
${isReady && html`${faultTable(file)}${confirmation(file)}`}
</form>`
}
${again}`;
  return { title: 'Check the file', main, status: wrong === null ? 200 : 400 };
}

/** Whether the first row of a file with receipt numbers names columns, which somebody can map: the numbers are below it. */
function isTable({ headers, receipts }: CheckedFile): boolean {
  const named = headers.filter(({ text }) => /[\p{L}\p{N}]/u.test(text));
  const bare = named.map(({ text }) => text.replace(/[^\p{L}\p{N}]/gu, '').toUpperCase());
  return named.length > 1 && !bare.some((text) => receipts.some((receipt) => text.includes(receipt)));
}

/** A text without headers, as copied from a mail or a page: its numbers become the first column of a list to complete. */
function receiptsFound(receipts: readonly string[]): Markup {
  const lines = receipts.map((receipt) => `${receipt}\t\t\t`);
  const rows = ['receipt_number\temail\tname\tuscis_access_acknowledged', ...lines].join('\n');
  return html`${notice('info', `${counted(receipts.length, 'receipt number')} found in this text. Complete the rows: who the client is, and yes where access is authorized.`)}
${uploadForm(rows)}`;
}

function columnFields({ headers }: CheckedFile): Markup {
  const choices = importColumn.options.filter((one) => one !== 'uscis_access_acknowledged');
  return section(
    'Columns',
    html`${table({
      caption: 'Columns',
      head: ['In your file', 'Is read as'],
      rows: headers.map(({ text, column }, i) => [
        text === '' ? '(no name)' : text,
        column === 'uscis_access_acknowledged'
          ? html`${column}${hidden(`column_${i}`, column)}`
          : html`<label class="hidden" for="f-column-${i}">Column of ${text}</label><select id="f-column-${i}" name="column_${i}"><option value="">not read</option>${choices.map((one) => html`<option value="${one}"${one === column && html` selected`}>${one}</option>`)}</select>`,
      ]),
    })}
<p><button type="submit" class="button" name="to" value="check">Check again</button></p>`,
  );
}

function faultTable({ rows, faults, fault_count }: CheckedFile): Markup {
  if (fault_count === 0) return notice('good', `All ${counted(rows, 'row')} can be read.`);
  const more = fault_count > faults.length ? ` The first ${faults.length} are shown.` : '';
  return section(
    'Cells with a fault',
    html`${notice('warn', `${counted(fault_count, 'cell')} with a fault. Their rows will be refused, the others imported.${more}`)}
${table({
  caption: 'Cells with a fault',
  head: ['Row', 'Column', 'Cell', 'What is wrong'],
  rows: faults.map(({ row, column, value, message }) => [
    String(row),
    column ?? 'whole row',
    value === '' ? html`<i>blank</i>` : html`<code>${value}</code>`,
    message,
  ]),
})}`,
  );
}

/** Nobody consents for others: each row says it, and who imports confirms what the rows say (firm.md §6). */
function confirmation({ rows, acknowledgement_version }: CheckedFile): Markup {
  const key = crypto.randomUUID();
  return section(
    'Import',
    html`${hidden('idempotency_key', key)}
<p>Each row says in its column uscis_access_acknowledged whether <q>the user or their counsel has authorized access to the case status</q> (text ${acknowledgement_version}). Rows that do not say yes are refused. Your name is kept with each acknowledgement.</p>
<div class="field"><label for="f-count">Type ${rows}, the number of rows</label><input id="f-count" name="count" type="text" inputmode="numeric" autocomplete="off"></div>
<div class="field"><label class="box"><input type="checkbox" name="send_verification"> Send new people an e-mail to verify their address (at most 200 an hour)</label></div>
<div class="actions"><button type="submit" class="button primary" name="to" value="run">Import</button>
<button type="submit" class="button" name="to" value="try" formtarget="_blank">Try it without writing</button></div>`,
  );
}

type Import = Success<'get_import'>['import'];

const importPage = consolePage({
  method: 'GET',
  path: `${path}/:import_id`,
  scope: 'cases:write',
  params: importPath,
  query: z.object({
    cursor: optionalText,
    sent: z.coerce.number().int().min(0).optional().catch(undefined),
    left: z.coerce.number().int().min(0).optional().catch(undefined),
  }),
  async handle(call) {
    const { ask, params } = call;
    const { import: shown, end } = await ask('get_import', { params });
    const query = { outcome: 'refused', limit: '25', cursor: call.query.cursor };
    const { rows, next_cursor } = await ask('list_import_rows', { params, query });
    const isOver = shown.finished_at !== null;
    const title = shown.dry_run ? 'Trial of an import' : 'Import';
    const { id } = shown;
    const main = html`${pageHead({ title, back: { href: path, text: 'Imports' }, sub: html`${statePill(shown)} ${call.times.ago(isoOf(shown.created_at))}` })}
${sentNotice(call.query)}
${progressOf(shown)}
${stats([
  { label: 'Rows', value: shown.rows },
  { label: 'Wait', value: shown.waiting },
  { label: 'New', value: shown.created },
  { label: 'Changed', value: shown.updated },
  { label: 'Unchanged', value: shown.unchanged },
  { label: 'Refused', value: shown.refused },
])}
${!isOver && shown.state !== 'cancelled' && buttonForm(`${path}/${id}/cancel`, 'Cancel what is left')}
${shown.dry_run && isOver && notice('info', 'Nothing was written. Go back to the page with the file to import it.')}
${end && nextSteps(call, id, end)}
${
  rows.length > 0 &&
  section(
    'Refused rows',
    html`<p><a class="button" href="${path}/${id}/refused.csv">Refused rows as CSV</a> Each has a column that says why: correct them, and import that file.</p>
${table({ caption: 'Refused rows', head: ['Row', 'Why'], rows: rows.map(({ row, message }) => [String(row), message ?? '']) })}
${pager({ url: withQuery(call.url, { sent: null, left: null }), next: next_cursor })}`,
  )
}`;
    return { title, main, isLive: !isOver };
  },
});

function progressOf({ rows, waiting, state, finished_at }: Import): Markup {
  const done = rows - waiting;
  if (state === 'cancelled')
    return notice(
      'warn',
      `Cancelled: ${wholeNumber(done)} of ${counted(rows, 'row')} were done.${finished_at === null ? ' Those that were begun are completed.' : ''}`,
    );
  return html`<p><progress max="${rows}" value="${done}" aria-label="Progress"></progress> ${wholeNumber(done)} of ${counted(rows, 'row')}</p>`;
}

/** What a firm does next: answers that are due, and addresses that nobody has proven. */
function nextSteps(call: ConsoleCall, id: number, end: NonNullable<Success<'get_import'>['end']>): Markup {
  const { cases_asking: open, people_unverified: unproven, people_without_mail: unsent } = end;
  const people = unproven === 1 ? '1 person' : `${wholeNumber(unproven)} people`;
  const ask = unsent > 0 && can(call, 'users:write');
  return html`${notice(
    open > 0 ? 'warn' : 'info',
    html`${counted(open, 'case')} ${open === 1 ? 'asks' : 'ask'} for an answer now. <a href="/console?urgent=true">Show them</a>. Statuses come at the pace of USCIS: look again later today.`,
  )}
${
  unproven > 0 &&
  notice(
    'warn',
    html`${people} of this import ${unproven === 1 ? 'has' : 'have'} not proven their address, and get no messages yet. ${wholeNumber(unsent)} of them got no e-mail that asks for it. <a href="/console/users?verified=false">Show them</a>.`,
  )
}
${
  ask &&
  html`${buttonForm(`${path}/${id}/send-verifications`, `Send it now to ${wholeNumber(unsent)}`, 'primary')}
<p class="quiet small">At most 200 an hour. Nobody gets it twice.</p>`
}`;
}

/** What `sendNow` did. */
function sentNotice({ sent, left }: { sent?: number | undefined; left?: number | undefined }): Markup | null {
  if (sent === undefined) return null;
  const mails = `${counted(sent, 'e-mail')} ${sent === 1 ? 'is' : 'are'} on the way.`;
  if (!left) return notice('good', mails);
  const people = left === 1 ? '1 person is' : `${wholeNumber(left)} people are`;
  return notice('warn', `${mails} ${people} left: at most 200 are sent an hour. Come back for the others.`);
}

const sendNow = consolePage({
  method: 'POST',
  path: `${path}/:import_id/send-verifications`,
  scope: 'cases:write',
  params: importPath,
  async handle({ ask, params }) {
    const { sent, left } = await ask('send_import_verifications', { params, body: {} });
    return { to: `${path}/${params.import_id}?sent=${sent}&left=${left}` };
  },
});

const cancel = consolePage({
  method: 'POST',
  path: `${path}/:import_id/cancel`,
  scope: 'cases:write',
  params: importPath,
  async handle({ ask, params }) {
    await ask('cancel_import', { params });
    return { to: `${path}/${params.import_id}` };
  },
});

export const importPages = [importList, receiveFile, importPage, sendNow, cancel];

function statePill({ state, dry_run }: Pick<Import, 'state' | 'dry_run'>): Markup {
  const tones = { waiting: 'idle', running: 'info', done: 'good', cancelled: 'warn' } as const;
  const texts = { waiting: 'Waits', running: 'Runs', done: 'Done', cancelled: 'Cancelled' } as const;
  return html`${pill(tones[state], texts[state])}${dry_run && html` ${pill('idle', 'Trial')}`}`;
}

/** Partner times have no zone. */
function isoOf(time: string): string {
  return `${time.replace(' ', 'T')}Z`;
}
