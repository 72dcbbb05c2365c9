import type { Position } from './cursor.ts';

export type Cell = string | number | boolean | null;

/** Programs on Windows read a file as UTF-8 only with it. */
const byteOrderMark = '\u{FEFF}';

/** People of whom identity is asked together. */
const rowsTogether = 100;

/**
 * What a spreadsheet would take for a formula, in full width too (OWASP, CSV injection). Also what has apostrophes before it: an
 * import takes exactly one away, so that each text comes back as it was.
 */
const formula = /^'*[=+\-@\t\r\uFF1D\uFF0B\uFF0D\uFF20]/;

/** One line of a file (RFC 4180), with its end. Empty for null. */
export function csvLine(cells: readonly Cell[]): string {
  return `${cells.map(csvCell).join(',')}\r\n`;
}

function csvCell(value: Cell): string {
  const text = String(value ?? '');
  const shown = typeof value === 'string' && formula.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(shown) ? `"${shown.replaceAll('"', '""')}"` : shown;
}

/** A cell of a file without the apostrophe that `csvLine` wrote. Elsewhere it is a letter, as in 'tis. */
export function withoutGuard(cell: string): string {
  return cell.startsWith("'") && formula.test(cell) ? cell.slice(1) : cell;
}

type CsvList<R> = {
  head: readonly string[];
  read(after: Position | null, limit: number): Promise<R[]>;
  positionOf(row: R): Position;
  /** Of the rows of one page; a row that is gone meanwhile has no line. */
  linesOf(rows: readonly R[]): Promise<Cell[][]>;
};

/**
 * A list as a file, a page at a time: its memory does not grow with the list. The first page is read before anything is sent, so
 * that what is refused, or a service that is away, is an ordinary answer.
 */
export async function csvFile<R>({
  head,
  read,
  positionOf,
  linesOf,
}: CsvList<R>): Promise<AsyncIterable<string>> {
  const page = async (after: Position | null) => {
    const rows = await read(after, rowsTogether);
    const last = rows.length < rowsTogether ? undefined : rows.at(-1);
    return { text: (await linesOf(rows)).map(csvLine).join(''), next: last && positionOf(last) };
  };
  const first = await page(null);
  return (async function* parts() {
    let { text, next } = first;
    yield byteOrderMark + csvLine(head) + text;
    while (next) {
      ({ text, next } = await page(next));
      // An empty text would end the stream.
      if (text !== '') yield text;
    }
  })();
}
