import { describe, expect, it } from '@jest/globals';
import { readReceiptNumber, receiptNumber } from '../src/index.ts';

const plain = 'IOE0123456789';

describe('a receipt number as people paste it', () => {
  it.each([
    plain,
    'ioe0123456789',
    ' IOE 0123 456 789 ',
    'IOE-01-234-56789',
    'IOE\u20100123456789',
    'IOE\u20110123\u2012456\u2013789',
    'IOE\u20140123456789',
    'IOE\u22120123456789',
    'IOE\uFE580123456789',
    'IOE\uFF0D0123456789',
    'IOE\u200B0123456789',
    '\uFEFFIOE0123456789',
    'IOE\u00AD0123456789',
    '\u202AIOE0123456789\u202C',
    'IOE\u2060012345\u200D6789',
    'IOE\u00A00123\u202F456\u3000789',
    'IOE\t0123456789\r\n',
    'Receipt # IOE0123456789',
    'Receipt Number: IOE0123456789',
    'RECEIPT NO. IOE-0123456789',
    'receipt#:IOE0123456789',
    'Receipt \u2116 IOE0123456789',
    'Your USCIS case number: IOE0123456789',
    'Case: IOE0123456789',
    'Número de recibo: IOE0123456789',
    'Número do recibo: IOE0123456789',
    '#IOE0123456789',
    '# IOE 0123456789',
    'IOE0123456789.',
    'IOE0123456789,',
    'IOE0123456789;',
    '(IOE0123456789)',
    '"IOE0123456789"',
    '\u201CIOE0123456789\u201D',
    "'IOE0123456789",
    '\uFF29\uFF2F\uFF25\uFF10\uFF11\uFF12\uFF13\uFF14\uFF15\uFF16\uFF17\uFF18\uFF19',
    '\u24BE\u24C4\u24BA0123456789',
    'IOE\u{1D7CE}\u{1D7CF}\u{1D7D0}3456789',
  ])('reads %j', (text) => {
    expect(readReceiptNumber(text)).toEqual({ receipt: plain, fault: null });
    expect(receiptNumber.parse(text)).toBe(plain);
  });

  it('begins with any three letters, those of a label too', () => {
    for (const text of ['NOX0123456789', 'CAS0123456789', 'DEL0123456789', 'num-0123456789'])
      expect(readReceiptNumber(text).receipt).toBe(text.replace('-', '').toUpperCase());
  });

  it.each([
    ['IOEO123456789', 'letter_o'],
    ['ioeo123456789', 'letter_o'],
    ['Receipt # EAC99991O3403', 'letter_o'],
    ['I0E0123456789', 'letter_o'],
    ['IOE\uFF2F123456789', 'letter_o'],
    ['EAC*999910340', 'masked'],
    ['EAC\uFF0A999910340', 'masked'],
    ['eac 99991034**', 'masked'],
    ['IOE\u2022\u2022\u2022\u2022\u2022\u20226789', 'masked'],
    ['EAC999910340*.', 'masked'],
    ['', 'other'],
    ['Receipt #', 'other'],
    ['IOE012345678', 'other'],
    ['IOE01234567890', 'other'],
    ['IO0123456789', 'other'],
    ['IOEE0123456789', 'other'],
    ['IOE0123456789 IOE0123456780', 'other'],
    ['IOE0123456789, EAC9999103403', 'other'],
    ['my case is IOE0123456789', 'other'],
    ['IOE.0123.456.789', 'other'],
    ['IOE0123/456789', 'other'],
    ['IOE012345678A', 'other'],
    ['\u0131OE0123456789', 'other'],
    ['\u0406\u041E\u04150123456789', 'other'],
    ['IOE\u0660\u0661\u0662\u0663456789', 'other'],
    ['EAC*', 'other'],
    ['*', 'other'],
    ['FLOW0000001', 'other'],
  ])('refuses %j: %s', (text, fault) => {
    expect(readReceiptNumber(text)).toEqual({ receipt: null, fault });
    const [issue, ...others] = receiptNumber.safeParse(text).error?.issues ?? [];
    expect(others).toEqual([]);
    expect(issue).toMatchObject({ params: { code: 'invalid_receipt_number' } });
    const words = { letter_o: /letter O/, masked: /whole number/, other: /^must be three letters/ };
    expect(issue?.message).toMatch(words[fault as keyof typeof words]);
  });
});
