import { describe, expect, it } from '@jest/globals';
import { stretchFor, stretchOf, unstretched } from '../../src/domain/stretch.ts';

const perDay = 1_000;

describe('stretchFor', () => {
  it('stretches nothing while the need fits', () => {
    expect(stretchFor({ hot: 400, others: 600 }, perDay, 10)).toEqual(unstretched);
    expect(stretchFor({ hot: 0, others: 0 }, perDay, 10)).toEqual(unstretched);
  });

  it('stretches all alike up to 3, then spares the hot ones while others can give', () => {
    expect(stretchFor({ hot: 500, others: 1_500 }, perDay, 10)).toEqual({ hot: 2, others: 2 });
    expect(stretchFor({ hot: 600, others: 4_000 }, perDay, 10)).toEqual({ hot: 3, others: 5 });
  });

  it('lets hot ones catch up where others cannot give more, and then all give alike', () => {
    expect(stretchFor({ hot: 2_500, others: 5_000 }, perDay, 10)).toEqual({ hot: 5, others: 10 });
    expect(stretchFor({ hot: 10_000, others: 10_000 }, perDay, 10)).toEqual({ hot: 20, others: 20 });
  });

  it('always uses the whole day, never more, and starves nobody, whatever the need', () => {
    let before = unstretched;
    for (let others = 0; others < 40_000; others += 37) {
      const need = { hot: 900, others };
      const stretch = stretchFor(need, perDay, 10);
      const used = need.hot / stretch.hot + need.others / stretch.others;
      if (need.hot + need.others > perDay) expect(used).toBeCloseTo(perDay, 6);
      expect(stretch.others).toBeGreaterThanOrEqual(before.others - 1e-9);
      expect(stretch.hot).toBeGreaterThanOrEqual(before.hot - 1e-9);
      if (stretch.others < 10 - 1e-9) expect(stretch.hot).toBeLessThanOrEqual(3 + 1e-9);
      expect(stretch.hot).toBeLessThanOrEqual(stretch.others + 1e-9);
      before = stretch;
    }
  });

  it('is another factor for hot receipts alone', () => {
    const stretch = { hot: 3, others: 7 };
    expect([stretchOf('hot', stretch), stretchOf('new', stretch), stretchOf('stop', stretch)]).toEqual([
      3, 7, 7,
    ]);
  });
});
