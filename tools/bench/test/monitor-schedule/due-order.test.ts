import { describe, expect, it } from '@jest/globals';
import { createDueOrder } from '../../src/monitor-schedule/due-order.ts';

describe('the order in which receipts become due', () => {
  it('gives the soonest first, whatever the order in which they came', () => {
    const order = createDueOrder();
    for (const dueMs of [90_000, 1_000, 45_500, 2_000]) order.add({ _id: String(dueMs), dueMs });

    expect(order.take(3)).toEqual(['1000', '2000', '45500']);
    expect(order.take(3)).toEqual(['90000']);
  });

  it('takes up what is due again, before and after it was empty', () => {
    const order = createDueOrder();
    order.add({ _id: 'late', dueMs: 60_000 });
    expect(order.take(1)).toEqual(['late']);
    order.add({ _id: 'later', dueMs: 80_000 });
    order.add({ _id: 'soon', dueMs: 30_000 });

    expect(order.take(2)).toEqual(['soon', 'later']);
    expect(order.take(1)).toEqual([]);
  });
});
