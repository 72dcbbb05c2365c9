import { Readable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import { maxImportRows, readReceiptNumber } from '@casewatch/contracts';
import { ApiError, withoutGuard } from '@casewatch/platform';
import { parse } from 'csv-parse';
import { type Cells, type Column, columnOf, isRequired, requiredColumns } from './columns.ts';

/** Most columns of a file: a list of clients of other systems has fewer than a hundred. */
const maxColumns = 500;
/** Longest record, characters: a list of clients has no longer one, and a quote that is never closed ends here. */
const maxRecord = 64 * 1024;
/** Most records, empty ones too, and most above the headers: spreadsheets write some thousand empty rows. */
const maxRecords = 20_000;
const maxAbove = 1_000;
/** Longest sentence about a file, characters, and most headers in it. */
const maxProblem = 1_000;
const maxNamed = 20;
/** Characters that are parsed before others get their turn. */
const chunk = 8 * 1024;

/** Our column of refused rows: a row whose cells could not be read, whole. An import refuses it until somebody has emptied it. */
export const unreadLine = 'unread_line';

/** A record of the file. `row`: as a spreadsheet counts it; the headers are row 1 where no empty row is above them. */
export type FileRow = {
  row: number;
  cells: Cells;
  /** Why the row cannot be read; its cells are those below a header. */
  fault: string | null;
  /** Of such a row: all of it, as text. */
  line: string | null;
};

/** `ignored`: headers that no column has. */
export type ImportFile = { rows: FileRow[]; ignored: string[] };

/**
 * Reads a CSV file as programs write it: UTF-8 with and without BOM, UTF-16, Windows-1252; commas, semicolons or tabs; every
 * kind of line end, in quotes too; headers in three languages. Other events run between two parts of the file.
 * @throws ApiError import_unreadable, import_too_many_rows
 */
export async function readImportFile(
  bytes: Uint8Array,
  columns?: readonly (Column | null)[],
): Promise<ImportFile> {
  const file = await openFile(textOf(bytes), columns);
  const problem = problemOf(file.layout);
  if (problem !== null) throw unreadable(problem);
  const rows = await rowsOf(file);
  if (rows.length === 0) throw unreadable(noRows);
  return { rows, ignored: file.layout.ignored };
}

/** `receipts`: those in a text that is no table with the columns of an import. */
export type InspectedFile = Pick<Layout, 'headers' | 'columns'> & {
  problem: string | null;
  rows: FileRow[];
  receipts: string[];
};

/**
 * What is in a file, whatever it lacks: for somebody who maps its headers, or pastes a text with receipt numbers.
 * @throws ApiError import_unreadable: it is no text; import_too_many_rows
 */
export async function inspectImportFile(
  bytes: Uint8Array,
  columns?: readonly (Column | null)[],
): Promise<InspectedFile> {
  const text = textOf(bytes);
  const file = await openFile(text, columns);
  const { layout } = file;
  const problem = problemOf(layout);
  if (problem !== null) return { ...layout, problem, rows: [], receipts: receiptsOf(text) };
  const rows = await rowsOf(file);
  return { ...layout, problem: rows.length === 0 ? noRows : null, rows, receipts: [] };
}

const noRows = 'The file has headers, but no row below them.';
const maxReceipts = 1_000;

/** The letters of the offices that give receipt numbers, now or formerly. A file may name others: only a guess needs them. */
const offices = /^(?:IOE|EAC|VSC|WAC|CSC|LIN|NSC|SRC|TSC|MSC|NBC|YSC)/;

/** Each once, in their order, also with a space or a dash as on notices. Tel 202-555-0123 is none. */
function receiptsOf(text: string): string[] {
  const found = new Set<string>();
  for (const [candidate] of text.matchAll(
    /(?<![\p{L}\p{N}])\p{L}{3}(?:[ \p{Pd}]?\p{N}){10}(?![\p{L}\p{N}])/gu,
  )) {
    const { receipt } = readReceiptNumber(candidate);
    if (receipt !== null && offices.test(receipt)) found.add(receipt);
    if (found.size === maxReceipts) break;
  }
  return [...found];
}

type OpenFile = { text: string; firstRow: number; layout: Layout };

async function openFile(whole: string, columns?: readonly (Column | null)[]): Promise<OpenFile> {
  const { text, separator, firstRow } = withoutSeparatorLine(whole);
  const layouts = await Promise.all(
    (separator === null ? [',', ';', '\t'] : [separator]).map((one) => layoutOf(text, one)),
  );
  const layout = layouts.reduce((best, one) => (isBetter(one, best) ? one : best));
  return { text, firstRow, layout: columns ? mapped(layout, columns) : layout };
}

async function rowsOf({ text, firstRow, layout }: OpenFile): Promise<FileRow[]> {
  const rows: FileRow[] = [];
  let row = firstRow - 1;
  for await (const record of recordsOf(text, layout.separator)) {
    row += 1;
    if (row > maxRecords) throw new ApiError('import_too_many_rows');
    if (row < firstRow + layout.at + 1 || isEmpty(record)) continue;
    if (rows.length === maxImportRows) throw new ApiError('import_too_many_rows');
    rows.push(toRow(row, record, layout));
  }
  return rows;
}

/**
 * With the columns that somebody chose by hand. Nobody says by hand that access is authorized: the file's own header does
 * (firm.md §6).
 * @throws ApiError import_unreadable
 */
function mapped(layout: Layout, columns: readonly (Column | null)[]): Layout {
  const { headers } = layout;
  if (columns.length !== headers.length)
    throw unreadable(
      `The file has ${headers.length} headers, and ${columns.length} columns were chosen for them.`,
    );
  const acknowledged = columns.findIndex(
    (column, i) => column === 'uscis_access_acknowledged' && columnOf(headers[i] ?? '') !== column,
  );
  if (acknowledged >= 0)
    throw unreadable(
      `"${shortened(headers[acknowledged] ?? '')}" cannot be chosen as uscis_access_acknowledged: the file itself must name that column, and say it in each row.`,
    );
  const ignored = headers.filter((header, i) => header.trim() !== '' && columns[i] === null);
  return { ...layout, columns: [...columns], ignored };
}

const signatures: readonly { begins: readonly number[]; message: string }[] = [
  {
    begins: [0x50, 0x4b, 0x03, 0x04],
    message:
      'This is an Excel workbook (.xlsx) or a ZIP archive. Open it, choose File, Save as, "CSV UTF-8", and import that file.',
  },
  {
    begins: [0xd0, 0xcf, 0x11, 0xe0],
    message:
      'This is an old Excel workbook (.xls). Open it, choose File, Save as, "CSV UTF-8", and import that file.',
  },
  {
    begins: [0x25, 0x50, 0x44, 0x46],
    message: 'This is a PDF. Import a CSV file, which a spreadsheet can save.',
  },
  {
    begins: [0x1f, 0x8b],
    message: 'This file is compressed (gzip). Unpack it, and import the CSV file in it.',
  },
];

function textOf(bytes: Uint8Array): string {
  const known = signatures.find(({ begins }) => begins.every((byte, i) => bytes[i] === byte));
  if (known) throw unreadable(known.message);
  const text = decode(bytes);
  if (withoutSeparatorLine(text).text.trim() === '') throw unreadable('The file is empty.');
  // A database page, a picture: text has no NUL.
  if (text.includes('\0'))
    throw unreadable('This is not a text file. Import a CSV file, which a spreadsheet can save.');
  return text;
}

/**
 * A file does not say its encoding. A text of Windows-1252 with accents is not valid UTF-8, so what is not UTF-8 is Windows-1252;
 * but a UTF-8 file with a damaged character is none, whose names would all be read wrong.
 * @throws ApiError import_unreadable
 */
function decode(bytes: Uint8Array): string {
  const utf16 = utf16Of(bytes);
  if (utf16 !== null) return new TextDecoder(utf16).decode(bytes);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    // Not UTF-8, which is an answer and no failure.
    const line = damagedLineOf(bytes);
    if (line === null) return new TextDecoder('windows-1252').decode(bytes);
    throw unreadable(
      `The file is UTF-8 with a damaged character near line ${line}. Correct it there, or save the file once more as "CSV UTF-8".`,
    );
  }
}

/** Of bytes that are not UTF-8. Null: they are not meant as UTF-8 either, whose letters are there by chance alone. */
function damagedLineOf(bytes: Uint8Array): number | null {
  const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
  const damaged = text.split('\ufffd').length - 1;
  let letters = 0;
  for (const letter of text) if (letter > '\x7f' && letter !== '\ufffd') letters += 1;
  if (!text.startsWith('\ufeff') && letters <= damaged) return null;
  return text.slice(0, text.indexOf('\ufffd')).split(/\r\n|\n|\r/).length;
}

/** By the byte order mark; without one, by the zeros beside the letters of ASCII. */
function utf16Of(bytes: Uint8Array): 'utf-16le' | 'utf-16be' | null {
  const [first, second, third, fourth] = bytes;
  if (first === 0xff && second === 0xfe) return third === 0 && fourth === 0 ? null : 'utf-16le';
  if (first === 0xfe && second === 0xff) return 'utf-16be';
  const sample = bytes.subarray(0, 200);
  const zeros = [0, 0];
  for (const [i, byte] of sample.entries()) if (byte === 0) zeros[i % 2] = (zeros[i % 2] ?? 0) + 1;
  const [even = 0, odd = 0] = zeros;
  const many = sample.length / 4;
  if (odd > many && even === 0) return 'utf-16le';
  return even > many && odd === 0 ? 'utf-16be' : null;
}

/**
 * Excel reads a first line `sep=;`, and some programs write it, also in quotes or as `separator=;`. A spreadsheet that does not know
 * it keeps it as a row, with an empty cell for each further column.
 */
const separatorLine = /^"?sep(?:arator)?=([,;\t])"?[ ,;\t]*(?:\r\n|\n|\r)/i;

function withoutSeparatorLine(text: string): { text: string; separator: string | null; firstRow: number } {
  const [line = '', separator = ','] = separatorLine.exec(text) ?? [];
  if (line === '') return { text, separator: null, firstRow: 1 };
  return { text: text.slice(line.length), separator, firstRow: 2 };
}

/** The headers, read with one separator. `at`: records above them. */
type Layout = {
  separator: string;
  at: number;
  headers: string[];
  columns: (Column | null)[];
  ignored: string[];
};

async function layoutOf(text: string, separator: string): Promise<Layout> {
  let at = 0;
  try {
    for await (const headers of recordsOf(text, separator)) {
      if (!isEmpty(headers)) return toLayout(separator, at, headers);
      at += 1;
      if (at > maxAbove) break;
    }
  } catch (error) {
    // With another separator the headers may be readable. If they are with none, `assertHeaders` says what is missing.
    if (!(error instanceof ApiError)) throw error;
  }
  return toLayout(separator, at, []);
}

function toLayout(separator: string, at: number, read: string[]): Layout {
  const headers = read.map(textOfCell);
  const columns = headers.slice(0, maxColumns + 1).map(columnOf);
  const ignored = headers.filter((header, i) => header.trim() !== '' && columns[i] === null);
  return { separator, at, headers, columns, ignored };
}

/** The separator with which most headers are known; then with which there are most. */
function isBetter(one: Layout, best: Layout): boolean {
  const known = ({ columns }: Layout) => columns.filter((column) => column !== null).length;
  return known(one) === known(best) ? one.headers.length > best.headers.length : known(one) > known(best);
}

/** Null: its rows can be read. */
function problemOf(layout: Layout): string | null {
  const problem = sentenceOfProblem(layout);
  return problem === null ? null : shortened(problem, maxProblem);
}

function sentenceOfProblem({ headers, columns }: Layout): string | null {
  if (headers.length > maxColumns) return `The file has more than ${maxColumns} columns.`;
  const twice = columns.find((column, i) => column !== null && columns.indexOf(column) !== i);
  if (twice) {
    const names = headers
      .filter((_, i) => columns[i] === twice)
      .slice(0, maxNamed)
      .map((header) => `"${shortened(header)}"`);
    return `The columns ${names.join(' and ')} both say ${twice}. Keep one of them.`;
  }
  const missing = requiredColumns.filter((column) => !columns.includes(column));
  if (missing.length === 0) return null;
  const them = missing.length === 1 ? 'a column' : 'columns';
  const found = headers
    .filter((header) => /[\p{L}\p{N}]/u.test(header))
    .slice(0, maxNamed)
    .map((header) => `"${shortened(header)}"`);
  const read = found.length === 0 ? 'no headers' : `the headers ${found.join(', ')}`;
  return `The first row must name the columns, and ${them} ${missing.join(', ')} must be there; it has ${read}.`;
}

function shortened(text: string, most = 40): string {
  return text.length > most ? `${text.slice(0, most - 1)}…` : text;
}

/** The records of a text, as they are read. @throws ApiError import_unreadable */
async function* recordsOf(text: string, separator: string): AsyncGenerator<string[]> {
  const parser = parse({
    delimiter: separator,
    record_delimiter: ['\r\n', '\n', '\r'],
    relax_column_count: true,
    // A quote within a cell without quotes is a letter, as in 5" pipe.
    relax_quotes: true,
    // A space before a quote is none of the cell.
    ltrim: true,
    max_record_size: maxRecord,
  });
  const source = Readable.from(partsOf(text));
  source.pipe(parser);
  try {
    for await (const record of parser) yield record as string[];
  } catch (error) {
    throw unreadable(sentenceOf(error), error);
  } finally {
    source.destroy();
    parser.destroy();
  }
}

/** Never cuts a character in two, because each part is encoded by itself. Others get their turn between two parts. */
async function* partsOf(text: string): AsyncGenerator<Buffer> {
  let start = 0;
  while (start < text.length) {
    let end = Math.min(start + chunk, text.length);
    const last = text.charCodeAt(end - 1);
    if (end < text.length && last >= 0xd800 && last <= 0xdbff) end += 1;
    yield Buffer.from(text.slice(start, end));
    start = end;
    await setImmediate();
  }
}

/** Of the parser's error; its own message has parts of the file. */
function sentenceOf(error: unknown): string {
  const { code, lines } = error as { code?: string; lines?: number };
  const place = lines === undefined ? '' : ` (near line ${lines})`;
  if (code === 'CSV_QUOTE_NOT_CLOSED' || code === 'CSV_MAX_RECORD_SIZE')
    return `A quotation mark (") is opened and not closed, or a row is longer than ${maxRecord} characters${place}.`;
  return `The file cannot be read as CSV${place}.`;
}

function unreadable(message: string, cause?: unknown): ApiError {
  return new ApiError('import_unreadable', { message, cause });
}

function isEmpty(record: readonly string[]): boolean {
  return record.every((cell) => cell.trim() === '');
}

function toRow(row: number, record: readonly string[], { columns, headers }: Layout): FileRow {
  const cells: Cells = {};
  for (const [i, column] of columns.entries()) {
    const cell = textOfCell(record[i]);
    if (column !== null && (cell !== '' || isRequired(column))) cells[column] = withoutGuard(cell);
  }
  const unread = textOfCell(record[headers.findIndex((header) => header.trim() === unreadLine)]);
  if (unread !== '') {
    const fault = `has its whole text in the column ${unreadLine} still: correct its cells, and empty that one`;
    return { row, cells, fault, line: withoutGuard(unread) };
  }
  if (isEmpty(record.slice(columns.length))) return { row, cells, fault: null, line: null };
  const fault = `has ${record.length} cells, but there are ${columns.length} headers: a cell with a separator in it must be in quotes`;
  const whole = record.slice(0, record.findLastIndex((cell) => cell.trim() !== '') + 1).map(textOfCell);
  return { row, cells, fault, line: whole.map(inQuotes).join(',') };
}

/** The parser takes quotes for letters where a space follows the last one. */
function withoutQuotes(text: string): string {
  return /^"(.*)"\s+$/s.exec(text)?.[1] ?? text;
}

/** All that an import takes is one line, so a line end within a cell is a space. */
function textOfCell(text = ''): string {
  return withoutQuotes(text)
    .trim()
    .replace(/\s*[\r\n\v\f\u0085\u2028\u2029]\s*/g, ' ');
}

function inQuotes(cell: string): string {
  return /[",]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
}
