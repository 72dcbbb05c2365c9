import { describe, expect, it } from '@jest/globals';
import { orderOfStart } from '../order.ts';

const small = Array.from({ length: 60 }, (_, i) => `/checkout/services/cases/test/small-${i}.test.ts`);
const busy = [
  '/checkout/.cache/suites/system-limited.test.ts',
  '/checkout/.cache/suites/system-killed.test.ts',
  '/checkout/.cache/suites/system-shared.test.ts',
  '/checkout/services/monitor/test/sending.test.ts',
];
const last = '/checkout/libs/platform/test/drain.test.ts';

describe('the order of test files', () => {
  const paths = [last, ...small, ...busy];
  const ordered = orderOfStart(paths, 2).map((index) => paths[index] ?? '');

  it('has each file once, and the one that ends its process at the end', () => {
    expect(ordered.toSorted()).toEqual(paths.toSorted());
    expect(ordered.at(-1)).toBe(last);
  });

  it('begins with the slowest files, and with no more busy ones than the cores have room for', () => {
    const [limited, killed, ...later] = busy;
    expect(ordered.slice(0, 2)).toEqual([killed, limited]);
    // The other workers take small files until the first busy one is expected to end.
    const next = Math.min(...later.map((path) => ordered.indexOf(path)));
    expect(ordered.slice(2, next)).toEqual(small.slice(0, next - 2));
    expect(next).toBeGreaterThan(10);
  });
});
