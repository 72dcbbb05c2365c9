import { ApiError } from '@casewatch/platform';
import { describe, expect, it } from '@jest/globals';
import { readImportFile } from './read-file.ts';

// The rules come from what went wrong in other importers; the cases below name the reports:
//  1 dotCMS/core#36508, adaltas/node-csv-parse#284, directus/directus#23332: a BOM becomes part of the first header, quoted or not.
//  2 SheetJS/sheetjs#2239: the comma in the rows wins over the semicolon of the headers.
//  3 iOfficeAI/OfficeCLI#352: a file with semicolons becomes one column, and nobody says so.
//  4 CeON/fairchive#2163: semicolons and a Windows code page together.
//  5 asafdav/ng-csv#28, zimmerman-team/IATI.cloud#1622: Excel's line `sep=;` is taken for the headers.
//  6 OpenDataServices/cove#141, polygonplanet/encoding.js#12, jawah/charset_normalizer#624: Windows-1252 is guessed to be Shift-JIS or
//    Mac Icelandic, because few bytes tell.
//  7 glific/glific#5657, buildship-ai/rowy#15: Excel's dash 0x96 and apostrophe 0x92 of Windows-1252 become � or an error.
//  8 openwisp/openwisp-radius#550, odoo/odoo#11792: UTF-16, Excel's "Unicode text" with tabs, is a 500.
//  9 WorldHistoricalGazetteer/website#269: an .xlsx is read as text, and the message speaks of UTF-8.
// 10 dust-tt/dust#27143: binary content fails without a sentence.
// 11 dbeaver/dbeaver#41361, bahaaldine/angular-csv-import#36, SWI-Prolog/swipl-devel#278: a line end in quotes ends the row.
// 12 stevehansen/csv#25: such a row counts as short when its last cell is empty.
// 13 jexp/batch-import#50: a quote that is never closed swallows the rest of the file.
// 14 nammayatri/nammayatri#16177: what had an apostrophe of its own loses it by an export and an import.
// 15 hhurz/tableExport.jquery.plugin#230: negative numbers come back with an apostrophe; `=cmd|…` is a formula.
// 16 dbro/csvquote#10: row numbers count the lines within quotes.

const headers = ['receipt_number', 'email', 'name', 'uscis_access_acknowledged', 'description'];
const names = ['Ana Sílva', 'João Peña', 'Zoë O’Neill'];
const cellsOf = (i: number, description = 'one – two') => [
  `EAC999910340${i}`,
  `person${i}@example.test`,
  names[i % names.length] ?? '',
  'sí',
  description,
];

const quoted = (cell: string) => `"${cell.replaceAll('"', '""')}"`;
const csv = (rows: readonly (readonly string[])[], separator = ',', end = '\r\n', quote = quoted) =>
  rows.map((row) => row.map(quote).join(separator) + end).join('');
const lines = (...rows: string[]) => Buffer.from(rows.join('\n'));
const head = headers.join(',');
const plain = 'EAC9999103401,a@example.test,Ana,x,first';

/** Windows-1252 where it differs from Latin-1, for the letters of these tests. */
const windows1252 = (text: string) =>
  Buffer.from(text.replaceAll('–', '\x96').replaceAll('’', '\x92').replaceAll('€', '\x80'), 'latin1');
const utf16be = (text: string) => Buffer.from(text, 'utf16le').swap16();

const encodings: Record<string, (text: string) => Buffer> = {
  'UTF-8': (text) => Buffer.from(text),
  'UTF-8 with BOM': (text) => Buffer.from(`\ufeff${text}`),
  'UTF-16 LE with BOM': (text) => Buffer.from(`\ufeff${text}`, 'utf16le'),
  'UTF-16 LE without BOM': (text) => Buffer.from(text, 'utf16le'),
  'UTF-16 BE with BOM': (text) => utf16be(`\ufeff${text}`),
  'UTF-16 BE without BOM': (text) => utf16be(text),
  'Windows-1252': windows1252,
};
const separators = { comma: ',', semicolon: ';', tab: '\t' };
const ends = { CRLF: '\r\n', LF: '\n', CR: '\r' };

const files = Object.entries(encodings).flatMap(([encoding, encode]) =>
  Object.entries(separators).flatMap(([separator, sign]) =>
    Object.entries(ends).flatMap(([end, newline]) =>
      [true, false].map((isQuoted) => ({ encoding, encode, separator, sign, end, newline, isQuoted })),
    ),
  ),
);

async function refusalOf(bytes: Uint8Array): Promise<ApiError> {
  const error = await readImportFile(bytes).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(ApiError);
  return error as ApiError;
}

describe('a file to import', () => {
  it.each(files)(
    'is read in $encoding, with $separator and $end, quoted: $isQuoted',
    async ({ encode, sign, newline, isQuoted }) => {
      const rows = [headers, cellsOf(0), cellsOf(1), cellsOf(2)];
      const file = encode(csv(rows, sign, newline, isQuoted ? quoted : (cell) => cell));
      expect(await readImportFile(file)).toEqual({
        ignored: [],
        rows: [0, 1, 2].map((i) => ({
          row: i + 2,
          fault: null,
          line: null,
          cells: Object.fromEntries(headers.map((header, at) => [header, cellsOf(i)[at]])),
        })),
      });
    },
  );

  // As Excel and others write it, and as a spreadsheet saves it that takes it for a row. The line counts as one.
  it.each(['sep=;', 'SEP=;', 'sep=; ', '"sep=;"', 'separator=;', 'sep=;;;;;', '"sep=;";;;;'])(
    'is read with the first line %s (5)',
    async (line) => {
      const row = 'EAC9999103401;a@example.test;Ana, Luis;x;1,5';
      for (const encode of Object.values(encodings))
        for (const newline of Object.values(ends)) {
          const file = encode([line, head.replaceAll(',', ';'), row].join(newline));
          const { rows } = await readImportFile(file);
          expect(rows.map(({ row, cells }) => [row, cells.name, cells.description])).toEqual([
            [3, 'Ana, Luis', '1,5'],
          ]);
        }
    },
  );

  it.each([
    ['sep=|', /the headers "sep=\|"/],
    ['sep=;receipt_number', /the headers/],
  ])('is not read with the first line %s, which names no separator of ours', async (line, sentence) => {
    expect((await refusalOf(lines(line, head, plain))).message).toMatch(sentence);
  });

  it.each([
    [
      'semicolons, and commas in the cells (2, 3)',
      `${head.replaceAll(',', ';')}\nEAC9999103401;a@example.test;Silva, Ana, Dr.;x;1,1`,
      'Silva, Ana, Dr.',
    ],
    [
      'a quote in a cell without quotes',
      `${head}\nEAC9999103401,a@example.test,Ana 5" Silva,x,b`,
      'Ana 5" Silva',
    ],
    [
      'line ends in quotes (11)',
      `${head}\nEAC9999103401,a@example.test,Ana,x,"first\r\nsecond\nthird"`,
      'Ana',
    ],
    [
      'an empty last cell after a line end in quotes (12)',
      `${head}\nEAC9999103401,a@example.test,"Ana\nSilva",x,""`,
      'Ana Silva',
    ],
    [
      'Excel’s line sep=; (5)',
      `sep=;\r\n${head.replaceAll(',', ';')}\r\nEAC9999103401;a@example.test;Ana;x;b`,
      'Ana',
    ],
    [
      'a BOM and a quoted header (1)',
      `\ufeff"receipt_number",email,name,uscis_access_acknowledged\nEAC9999103401,a@example.test,Ana,x`,
      'Ana',
    ],
    ['no line end at the end', `${head}\n${plain}`, 'Ana'],
    [
      'spaces around cells and headers',
      ` receipt_number , email , name , uscis_access_acknowledged \n EAC9999103401 , a@example.test , Ana , x `,
      'Ana',
    ],
    [
      'an escaped quote',
      `${head}\nEAC9999103401,a@example.test,"Ana ""Nina"" Silva",x,b`,
      'Ana "Nina" Silva',
    ],
    [
      'a space after a quoted cell',
      `${head}\n"EAC9999103401" ,"a@example.test" ,"Silva, Ana" , "x" , "b" `,
      'Silva, Ana',
    ],
    [
      'a space before a quoted cell',
      `${head}\n "EAC9999103401", "a@example.test", "Silva, Ana", "x", "b"`,
      'Silva, Ana',
    ],
    [
      'spaces around quotes within a cell',
      `${head}\nEAC9999103401,a@example.test, "Ana ""Nina"" Silva" ,x,b`,
      'Ana "Nina" Silva',
    ],
    [
      'a quoted word before others',
      `${head}\nEAC9999103401,a@example.test, "Nina" Silva ,x,b`,
      '"Nina" Silva',
    ],
    ['a quoted cell that is in quotes', `${head}\nEAC9999103401,a@example.test,"""Nina""",x,b`, '"Nina"'],
    [
      'quoted headers with spaces',
      `"receipt_number" , "email" ,"name" , "uscis_access_acknowledged"\nEAC9999103401,a@example.test,Ana,x`,
      'Ana',
    ],
    [
      'tabs, and spaces beside quotes',
      `${head.replaceAll(',', '\t')}\nEAC9999103401\ta@example.test\t "Silva\tAna" \tx\t`,
      'Silva\tAna',
    ],
    ['short rows', `${head}\nEAC9999103401,a@example.test,Ana,x`, 'Ana'],
    ['empty cells after the last header', `${head}\n${plain},,,`, 'Ana'],
    ['other columns', `id,${head},status\n7,${plain},Denied`, 'Ana'],
    ['a name in Chinese', `${head}\nEAC9999103401,a@example.test,王小明,x,b`, '王小明'],
    ['mixed line ends', `${head}\r\n\n${plain}\r\n`, 'Ana'],
  ])('is read with %s', async (_, text, name) => {
    const { rows } = await readImportFile(Buffer.from(text));
    expect(rows.map(({ cells, fault }) => [cells.receipt_number, cells.name, fault])).toEqual([
      ['EAC9999103401', name, null],
    ]);
  });

  it.each([
    ['English', 'Receipt Number;E-mail;Full Name;Access acknowledged;Matter number'],
    ['Spanish', 'Número de recibo;Correo electrónico;Nombre;Acceso autorizado;Expediente'],
    ['Portuguese', 'NÚMERO DO RECIBO;E-mail;Nome completo;Acesso autorizado;Número do processo'],
    ['the interface', 'receipt_number;email;name;uscis_access_acknowledged;reference'],
  ])('has its headers in %s', async (_, header) => {
    const { rows, ignored } = await readImportFile(
      windows1252(`${header}\nEAC9999103401;a@example.test;Ana;sim;M-1`),
    );
    expect({ ignored, cells: rows[0]?.cells }).toEqual({
      ignored: [],
      cells: {
        receipt_number: 'EAC9999103401',
        email: 'a@example.test',
        name: 'Ana',
        uscis_access_acknowledged: 'sim',
        reference: 'M-1',
      },
    });
  });

  it('counts rows as a spreadsheet does: empty ones count, line ends in quotes do not (16)', async () => {
    const file = lines('', head, '', plain.replace('first', '"a\nb\nc"'), ',,,,', '', plain);
    expect((await readImportFile(file)).rows.map(({ row }) => row)).toEqual([4, 7]);
  });

  it('tells which columns it does not read', async () => {
    const file = lines(`${head},Status,Notes,`, `${plain},Denied,x,`);
    expect((await readImportFile(file)).ignored).toEqual(['Status', 'Notes']);
  });

  it('refuses a row with more cells than headers, and reads the others', async () => {
    const { rows } = await readImportFile(lines(head, `${plain},and more`, plain));
    expect(rows.map(({ row, fault }) => [row, fault?.split(':')[0] ?? null])).toEqual([
      [2, 'has 6 cells, but there are 5 headers'],
      [3, null],
    ]);
    // They are given back, to be corrected.
    expect(rows[0]?.cells).toEqual(rows[1]?.cells);
    expect(rows[0]?.cells).toMatchObject({ receipt_number: 'EAC9999103401', description: 'first' });
    expect(rows.map(({ line }) => line)).toEqual([`${plain},and more`, null]);
  });

  it('gives back all of a row with too many cells, also what stands below no known header', async () => {
    const file = lines(
      'receipt_number,email,name,Court,uscis_access_acknowledged',
      'EAC9999103401,a@example.test,Silva, Ana,"Miami, ""FL""",x,,',
    );
    const { rows } = await readImportFile(file);
    expect(rows[0]?.line).toBe('EAC9999103401,a@example.test,Silva,Ana,"Miami, ""FL""",x');
  });

  it('refuses a row that was given back and not corrected, until its text is emptied', async () => {
    const back = (cell: string) => lines(`${head},why,unread_line`, `${plain},has 6 cells,${cell}`);
    const [row] = (await readImportFile(back('"a,b,""c, d"""'))).rows;
    expect([row?.fault, row?.line]).toEqual([
      expect.stringMatching(/in the column unread_line still/),
      'a,b,"c, d"',
    ]);
    const { rows } = await readImportFile(back(''));
    expect(rows).toMatchObject([{ fault: null, line: null, cells: { description: 'first' } }]);
  });

  it.each([
    ['=1+1', '=1+1'],
    ["'=1+1", '=1+1'],
    ["''=1+1", "'=1+1"],
    ['-5', '-5'],
    ["'-5", '-5'],
    ["'+12025550123", '+12025550123'],
    ["'@home", '@home'],
    ["'＝1", '＝1'],
    ["'tis", "'tis"],
    ["''", "''"],
    ['=HYPERLINK("http://evil.test";"x")', '=HYPERLINK("http://evil.test";"x")'],
    ["=cmd|' /C calc'!A0", "=cmd|' /C calc'!A0"],
  ])('says %s, which is %s (14, 15)', async (cell, value) => {
    const { rows } = await readImportFile(Buffer.from(csv([headers, cellsOf(1, cell)])));
    expect(rows[0]?.cells.description).toBe(value);
  });

  it.each([
    [
      'an .xlsx (9)',
      Buffer.from([0x50, 0x4b, 3, 4, 20, 0]),
      /Excel workbook \(\.xlsx\) or a ZIP.*Save as, "CSV UTF-8"/,
    ],
    ['an .xls', Buffer.from([0xd0, 0xcf, 0x11, 0xe0, 0xa1]), /old Excel workbook.*Save as, "CSV UTF-8"/],
    ['a PDF', Buffer.from('%PDF-1.7'), /is a PDF/],
    ['a gzip file', Buffer.from([0x1f, 0x8b, 8]), /compressed/],
    [
      'binary content (10)',
      Buffer.concat([lines(head, plain), Buffer.alloc(50), Buffer.from([0xff])]),
      /not a text file/,
    ],
    ['UTF-32', Buffer.from([0xff, 0xfe, 0, 0, 0x61, 0, 0, 0]), /not a text file/],
    ['nothing', Buffer.alloc(0), /is empty/],
    ['only a BOM', Buffer.from('\ufeff'), /is empty/],
    ['blank lines', Buffer.from('\n \n\t\n'), /is empty/],
    [
      'only separators',
      Buffer.from(',,,\n,,,'),
      /receipt_number, email, name, uscis_access_acknowledged must be there; it has no headers/,
    ],
    ['headers alone', lines(head, ''), /no row below/],
    ['no headers', lines(plain), /must name the columns.*it has the headers "EAC9999103401"/],
    ['other headers', lines('id,whatever', '1,2'), /receipt_number, email, name.*"id", "whatever"/],
    [
      'no acknowledgement',
      lines('receipt_number,email,name', 'a,b,c'),
      /a column uscis_access_acknowledged must be there/,
    ],
    ['a column twice', lines(`${head},E-mail`, `${plain},b`), /"email" and "E-mail" both say email/],
    [
      'a quote that is never closed (13)',
      lines(head, plain.replace('first', '"first'), plain),
      /opened and not closed/,
    ],
    ['HTML', Buffer.from('<html><body>Sign in</body></html>'), /must name the columns/],
    ['JSON', Buffer.from('{"rows": []}'), /must name the columns/],
  ])('is refused if it is %s', async (_, bytes, sentence) => {
    const { code, message } = await refusalOf(bytes);
    expect([code, message]).toEqual(['import_unreadable', expect.stringMatching(sentence)]);
  });

  const cut = (bytes: Buffer, letter: string) => {
    const at = bytes.indexOf(letter);
    return Buffer.concat([bytes.subarray(0, at + 1), bytes.subarray(at + 2)]);
  };
  it.each([
    ['with a BOM', Buffer.concat([Buffer.from('\ufeff'), lines(head, plain, plain), windows1252('é')]), 3],
    ['with more whole letters', cut(lines(head, plain, plain, ...names, 'ñ'), 'í'), 4],
    ['with CR', cut(Buffer.from(['', head, ...names, ...names].join('\r')), 'ã'), 4],
    ['with CRLF', cut(Buffer.from([head, ...names, ...names].join('\r\n')), 'ã'), 3],
    ['cut at its end', lines(head, plain, ...names).subarray(0, -11), 5],
  ])('is refused if it is damaged UTF-8, %s', async (_, bytes, line) => {
    const { code, message } = await refusalOf(bytes);
    expect([code, message]).toEqual([
      'import_unreadable',
      expect.stringContaining(`UTF-8 with a damaged character near line ${line}.`),
    ]);
  });

  it('is Windows-1252 although two of its letters are valid UTF-8 by chance', async () => {
    const name = 'Ã© João Sílva Peña Zoë';
    const { rows } = await readImportFile(windows1252(`${head}\n${plain.replace('Ana', name)}`));
    expect(rows[0]?.cells.name).toBe(name);
  });

  it('has 10,000 rows at most', async () => {
    const rows = Array.from({ length: 10_000 }, () => plain);
    expect((await readImportFile(lines(head, ...rows))).rows).toHaveLength(10_000);
    expect((await readImportFile(lines(head, ...rows, '', ',,'))).rows).toHaveLength(10_000);
    expect((await refusalOf(lines(head, ...rows, plain))).code).toBe('import_too_many_rows');
  });

  it.each([
    ['10,000 columns', Buffer.from(`${head},${'c,'.repeat(10_000)}\n${plain}`), /more than 500 columns/],
    ['5 MiB of quotes', Buffer.alloc(5 * 1024 * 1024, '"'), /must name the columns/],
    [
      '5 MiB of quotes in a cell',
      Buffer.from(`${head}\n${'"'.repeat(5 * 1024 * 1024 - 200)}`),
      /opened and not closed/,
    ],
    ['5 MiB of commas', Buffer.alloc(5 * 1024 * 1024, ','), /must name the columns/],
    [
      '5 MiB of commas in a row',
      Buffer.from(`${head}\n${','.repeat(5 * 1024 * 1024 - 200)}`),
      /no row below/,
    ],
    [
      '5 MiB of line ends',
      Buffer.from(`${head}${'\n'.repeat(5 * 1024 * 1024 - 200)}`),
      /import_too_many_rows/,
    ],
    ['5 MiB in one cell', Buffer.from(`${head}\n${'a'.repeat(5 * 1024 * 1024 - 200)}`), /longer than 65536/],
  ])('is refused within bounds of time and memory: %s', async (_, bytes, sentence) => {
    const before = process.memoryUsage().rss;
    let turns = 0;
    const others = setInterval(() => {
      turns += 1;
    }, 1);
    const started = process.cpuUsage();
    const { code, message } = await refusalOf(bytes);
    clearInterval(others);
    const { user, system } = process.cpuUsage(started);
    expect(`${code}: ${message}`).toMatch(sentence);
    // Of the processor, because the clock also runs while others work.
    expect((user + system) / 1_000_000).toBeLessThan(20);
    expect(process.memoryUsage().rss - before).toBeLessThan(512 * 1024 * 1024);
    // What ends early needs none.
    if (user + system > 500_000) expect(turns).toBeGreaterThan(1);
  });
});
