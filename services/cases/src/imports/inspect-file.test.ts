import { checkedFile } from '@casewatch/contracts';
import { ApiError } from '@casewatch/platform';
import { describe, expect, it } from '@jest/globals';
import { inspectImportFile, readImportFile } from './read-file.ts';

// More rules from reports about other importers (the first sixteen stand in read-file.test.ts):
// 17 apache/rocketmq-dashboard#2756: an apostrophe of the user's own before a formula is lost by an export and an import.
// 18 mautic/mautic#1932: rows of separators alone, which Excel leaves behind, count as people.
// 19 SuiteCRM/SuiteCRM#5574: an empty e-mail gets the address of the row above.
// 20 nao1215/filesql#279, ddeboer/data-import#315: a file with CR alone is one row, and nobody says so.

const head = 'Recibo,Correo,Nombre,uscis_access_acknowledged';
const row = 'EAC9999103401,a@example.test,Ana,yes';
const bytes = (...lines: string[]) => Buffer.from(lines.join('\n'));

async function refusalOf(work: Promise<unknown>): Promise<string> {
  const error = await work.catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(ApiError);
  return (error as ApiError).message;
}

describe('what is in a file', () => {
  it('is known by headers in Spanish, and the rest is listed', async () => {
    const { headers, columns, problem, rows } = await inspectImportFile(bytes(`${head},Foro`, `${row},x`));
    expect([headers.at(-1), columns, problem, rows.length]).toEqual([
      'Foro',
      ['receipt_number', 'email', 'name', 'uscis_access_acknowledged', null],
      null,
      1,
    ]);
  });

  it('is mapped by hand where headers are not known', async () => {
    const file = bytes('No.,Contact,Who,uscis_access_acknowledged,Foro', `${row},x`);
    const before = await inspectImportFile(file);
    expect(before.problem).toMatch(/columns receipt_number, email, name must be there/);
    expect([before.headers.length, before.rows]).toEqual([5, []]);
    const { rows, ignored } = await readImportFile(file, [
      'receipt_number',
      'email',
      'name',
      'uscis_access_acknowledged',
      'description',
    ]);
    expect([rows[0]?.cells, ignored]).toEqual([
      {
        receipt_number: 'EAC9999103401',
        email: 'a@example.test',
        name: 'Ana',
        uscis_access_acknowledged: 'yes',
        description: 'x',
      },
      [],
    ]);
  });

  it.each([
    ['twice', Array.from({ length: 300 }, () => `"E-mail${' '.repeat(60)}"`).join(), /both say email/],
    [
      'unknown',
      Array.from({ length: 300 }, (_, i) => `${i}${'x'.repeat(60)}`).join(),
      /must name the columns/,
    ],
  ])('names what is wrong in a sentence that fits, with headers %s', async (_, headers, sentence) => {
    const { problem } = await inspectImportFile(bytes(headers, row));
    expect(problem).toMatch(sentence);
    expect(checkedFile.shape.problem.safeParse(problem).error).toBeUndefined();
    expect((problem?.match(/"/g) ?? []).length).toBeLessThanOrEqual(40);
  });

  it('never says by hand that access is authorized', async () => {
    const file = bytes('receipt_number,email,name,Consent', row);
    const chosen = ['receipt_number', 'email', 'name', 'uscis_access_acknowledged'] as const;
    const sentence = '"Consent" cannot be chosen as uscis_access_acknowledged';
    expect(await refusalOf(readImportFile(file, chosen))).toContain(sentence);
    expect(await refusalOf(inspectImportFile(file, chosen))).toContain(sentence);
  });

  it('has a column for each header', async () => {
    const chosen = ['receipt_number', 'email', 'name'] as const;
    expect(await refusalOf(readImportFile(bytes(head, row), chosen))).toMatch(/4 headers, and 3 columns/);
  });

  it('is receipt numbers in any text without headers, each once, as people write them', async () => {
    const text = `Dear Ana,\nyour I-130 has number EAC-9999103401 and the I-485 is IOE 9999103402.
Old: eac9999103401; not one: EAC99991034 or XEAC9999103403, call 555-0100.`;
    const { receipts, problem, rows } = await inspectImportFile(Buffer.from(text));
    expect([receipts, rows]).toEqual([['EAC9999103401', 'IOE9999103402'], []]);
    expect(problem).toMatch(/must name the columns/);
  });

  it('has no receipt numbers in telephone numbers, and in other words with ten digits', async () => {
    const text = `Tel 2025550123, cel 305-555-0123, FAX2025550124, Inv 0000012345, REF2024000123, ssn 123 456 7890 and
eac-99-991-03401.`;
    const { receipts } = await inspectImportFile(Buffer.from(text));
    expect(receipts).toEqual(['EAC9999103401']);
  });

  it('has no people in rows of separators, none below the last, and no cell from the row above (18, 19)', async () => {
    const file = bytes(head, row, ',,,', 'EAC9999103402,,Luis,yes', ',,,', ' , ,,', '');
    const { rows } = await inspectImportFile(file);
    expect(rows.map((one) => [one.row, one.cells.email])).toEqual([
      [2, 'a@example.test'],
      [4, ''],
    ]);
  });

  it('has all its rows with CR alone (20)', async () => {
    const { rows } = await inspectImportFile(Buffer.from([head, row, row].join('\r')));
    expect(rows).toHaveLength(2);
  });

  it('keeps an apostrophe of its own before a formula (17)', async () => {
    const file = bytes(`${head},description`, `${row},''=SUM(A1)`, `${row},'=SUM(A1)`, `${row},'tis`);
    const { rows } = await inspectImportFile(file);
    expect(rows.map(({ cells }) => cells.description)).toEqual(["'=SUM(A1)", '=SUM(A1)', "'tis"]);
  });
});
