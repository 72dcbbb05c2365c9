import { describe, expect, it } from '@jest/globals';
import { coveragePage, linesOf } from '../src/test-coverage/coverage-page.ts';
import { addReport } from '../src/test-coverage/reports.ts';

const text = `type Row = { id: number };
// A comment.
export function half(n: number): number {
  if (n < 0) {
    return never();
  }
  return n / 2;
}
`;
const url = 'file:///src/half.ts';
const place = (words: string) => text.indexOf(words);
const range = (from: string, to: string, count: number) => {
  return { startOffset: place(from), endOffset: place(to) + to.length, count };
};
const whole = { startOffset: 0, endOffset: text.length, count: 1 };
const report = (...ranges: ReturnType<typeof range>[]) => ({
  result: [{ url, functions: [{ ranges: [whole] }, { ranges }] }],
});

describe('coverage', () => {
  it('counts lines of code that ran in some process', () => {
    const source = { path: 'libs/half/src/half.ts', text, ran: new Uint8Array(text.length) };
    const coverage = new Map([[url, source]]);
    expect(linesOf(source)).toEqual({ lines: 4, ran: 0 });
    const skipped = range('{\n    return never', ';\n  }', 0);
    addReport(report(range('function', '2;\n}', 3), skipped), coverage);
    expect(linesOf(source)).toEqual({ lines: 4, ran: 3 });
    addReport(report(range('function', '2;\n}', 0)), coverage);
    expect(linesOf(source)).toEqual({ lines: 4, ran: 3 });
    addReport(report(range('function', '2;\n}', 1)), coverage);
    expect(linesOf(source)).toEqual({ lines: 4, ran: 4 });
  });

  it('has a row for each package, and their sum', () => {
    const packages = [
      { name: 'libs/half', lines: 4, ran: 3 },
      { name: 'libs/none', lines: 4, ran: 0 },
    ];
    expect(coveragePage(packages)).toContain('| libs/half | 4 | 75.0 % |');
    expect(coveragePage(packages)).toContain('| **all** | 8 | 37.5 % |');
  });
});
