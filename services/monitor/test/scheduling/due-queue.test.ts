import { describe, expect, it, jest } from '@jest/globals';
import { planFor } from '../../src/domain/plan.ts';
import { unknownReceipt } from '../../src/domain/receipt.ts';
import { createDueQueue } from '../../src/scheduling/due-queue.ts';
import type { DueReceipt } from '../../src/store/receipts.ts';

const now = new Date('2026-11-21T12:00:00.000Z');
const counts = new Map([
  ['rate-20', 100],
  ['rate-10', 1_000],
]);
const plan = planFor(counts, { perDay: 1_000, scale: 1 });

function due(_id: string, bucket: string, intervals: number): DueReceipt {
  const checked_at = new Date(now.getTime() - intervals * plan.intervalMs(bucket));
  return { ...unknownReceipt(_id), revision: 1, watchers: 1, bucket, checked_at };
}

function queueOf(...rows: DueReceipt[]) {
  const queue = createDueQueue({ plan });
  queue.add(rows);
  return queue;
}

const takeAll = (queue: ReturnType<typeof queueOf>) =>
  Array.from({ length: 9 }, () => queue.take(now)?._id).filter((id) => id !== undefined);

describe('the queue of due receipts', () => {
  it('gives the most overdue first, and a first check before all', () => {
    const queue = queueOf(
      due('slow, 1.5', 'rate-10', 1.5),
      due('fast, 2', 'rate-20', 2),
      due('fast, 1.2', 'rate-20', 1.2),
      due('slow, 3', 'rate-10', 3),
      { ...due('first', 'first', 0), checked_at: now },
    );
    expect(takeAll(queue)).toEqual(['first', 'slow, 3', 'fast, 2', 'slow, 1.5', 'fast, 1.2']);
  });

  it('gives a deferred first check after all that are due and before the others, in its own order', () => {
    const deferred = (_id: string, waitedMs: number) => ({
      ...due(_id, 'deferred', 0),
      checked_at: new Date(now.getTime() - waitedMs),
    });
    const queue = queueOf(
      deferred('row 2', 1),
      deferred('row 1', 2),
      deferred('now', 0),
      due('early', 'rate-20', 0.99),
      due('due', 'rate-10', 1),
      due('late', 'rate-20', 1.2),
    );
    expect(takeAll(queue)).toEqual(['late', 'due', 'row 1', 'row 2', 'now', 'early']);
  });

  it('gives a deferred first check its turn where something is always due: after an interval it is due too', () => {
    const queue = queueOf(
      due('waiting', 'deferred', 1.1),
      due('due', 'rate-20', 1),
      due('late', 'rate-20', 1.2),
    );
    expect(takeAll(queue)).toEqual(['late', 'waiting', 'due']);
  });

  it('takes nothing twice until its answer is written', () => {
    const queue = queueOf(due('now', 'rate-20', 1));
    expect(takeAll(queue)).toEqual(['now']);
    queue.add([due('now', 'rate-20', 1)]);
    expect(takeAll(queue)).toEqual([]);
    queue.complete('now');
    queue.add([due('now', 'rate-20', 1)]);
    expect(takeAll(queue)).toEqual(['now']);
  });

  it('forgets a receipt that a live check has answered, and all where nothing can be sent', () => {
    const queue = queueOf(due('one', 'rate-20', 1), due('other', 'rate-20', 1));
    queue.remove('one');
    expect(takeAll(queue)).toEqual(['other']);
    queue.add([due('third', 'rate-20', 1)]);
    queue.clear();
    expect(takeAll(queue)).toEqual([]);
    queue.add([due('third', 'rate-20', 1)]);
    expect(takeAll(queue)).toEqual(['third']);
  });

  it('drops a receipt that waited for 10 s: its case may have been erased, so it has to be read again', () => {
    jest.useFakeTimers();
    try {
      const queue = queueOf(due('erased', 'rate-20', 2), due('kept', 'rate-20', 1));
      jest.advanceTimersByTime(9_999);
      expect(queue.sizeOf('rate-20')).toBe(2);
      jest.advanceTimersByTime(1);
      queue.add([due('kept', 'rate-20', 1)]);
      expect(takeAll(queue)).toEqual([]);
      queue.add([due('kept', 'rate-20', 1)]);
      expect(takeAll(queue)).toEqual(['kept']);
    } finally {
      jest.useRealTimers();
    }
  });

  it('does not ask again for minutes where a request failed, longer each time', () => {
    const queue = queueOf(due('failing', 'rate-20', 1));
    expect(takeAll(queue)).toEqual(['failing']);
    expect([queue.hold('failing'), queue.hold('failing')]).toEqual([1, 2]);
    queue.add([due('failing', 'rate-20', 1), due('next', 'rate-20', 1)]);
    expect(takeAll(queue)).toEqual(['next']);
    queue.complete('failing');
    queue.add([due('failing', 'rate-20', 1)]);
    expect(takeAll(queue)).toEqual(['failing']);
  });
});
