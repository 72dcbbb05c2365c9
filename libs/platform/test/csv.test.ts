import { describe, expect, it } from '@jest/globals';
import { csvFile, csvLine, withoutGuard } from '../src/http/csv.ts';

const formulas = [
  '=1+1',
  '+1',
  '-5',
  '@SUM(A1)',
  '\tx',
  '\rx',
  '＝1',
  '＋1',
  '－1',
  '＠x',
  '=HYPERLINK("x")',
];

describe('a line of CSV', () => {
  it('has quotes where a reader needs them', () => {
    expect(csvLine(['a', 'b,c', 'say "hi"', 'two\r\nlines', null, 7, -5, true, ''])).toBe(
      'a,"b,c","say ""hi""","two\r\nlines",,7,-5,true,\r\n',
    );
  });

  it.each(formulas)('shows a spreadsheet no formula in %j, and gives it back as it was', (text) => {
    const cell = csvLine([text]).slice(0, -2);
    expect(cell.replace(/^"/, '')).toMatch(/^'/);
    const read = cell.startsWith('"') ? cell.slice(1, -1).replaceAll('""', '"') : cell;
    expect(withoutGuard(read)).toBe(text);
  });

  it.each(["'=1+1", "''=1+1", "'tis", "'", "''", 'a=1', ' =1'])('gives back %j too', (text) => {
    expect(withoutGuard(csvLine([text]).slice(0, -2))).toBe(text);
  });

  it('takes exactly one apostrophe away, and only before a formula', () => {
    expect(["''=1", "'=1", "'tis", "'5", '=1'].map(withoutGuard)).toEqual(["'=1", '=1', "'tis", "'5", '=1']);
  });
});

describe('a list as a file', () => {
  const all = Array.from({ length: 250 }, (_, i) => i);
  const list = (linesOf: (rows: readonly number[]) => Promise<number[][]>) => ({
    head: ['n'],
    read: async (after: readonly unknown[] | null, limit: number) => {
      const start = after === null ? 0 : Number(after[1]) + 1;
      return all.slice(start, start + limit);
    },
    positionOf: (n: number) => [null, n] as [null, number],
    linesOf,
  });

  it('has the mark, the head and each row once, also where a page has no lines', async () => {
    const parts: string[] = [];
    const file = await csvFile(list(async (rows) => rows.filter((n) => n < 100 || n >= 200).map((n) => [n])));
    for await (const part of file) parts.push(part);
    const shown = all.filter((n) => n < 100 || n >= 200).map((n) => `${n}\r\n`);
    expect(parts.join('')).toBe(`\u{FEFF}n\r\n${shown.join('')}`);
    expect(parts.every((part) => part !== '')).toBe(true);
  });

  it('reads the first page before there is a file, and no page before somebody wants it', async () => {
    const away = new Error('identity is away');
    await expect(csvFile(list(() => Promise.reject(away)))).rejects.toBe(away);
    let pages = 0;
    const file = await csvFile(
      list(async (rows) => {
        pages += 1;
        if (pages === 2) throw away;
        return rows.map((n) => [n]);
      }),
    );
    expect(pages).toBe(1);
    const parts = file[Symbol.asyncIterator]();
    await parts.next();
    expect(pages).toBe(1);
    await expect(parts.next()).rejects.toBe(away);
  });
});
