import { describe, expect, it } from '@jest/globals';
import type { ScheduleClass } from '../../src/domain/schedule-class.ts';
import { unstretched } from '../../src/domain/stretch.ts';
import { createDueQueue } from '../../src/scheduling/due-queue.ts';
import type { DueReceipt } from '../../src/store/receipts.ts';

const now = new Date('2026-11-21T12:00:00.000Z');
const hour = 3_600_000;

function due(_id: string, schedule_class: ScheduleClass, lateMs: number): DueReceipt {
  return {
    _id,
    revision: 1,
    schedule_class,
    next_check_at: new Date(now.getTime() - lateMs),
    poll_class: 'normal',
    since: null,
    new_since: null,
    not_found: null,
    facts_hash: null,
    spanish_hash: null,
    state: 'watched',
    failures: 0,
    last_checked: null,
    overdue_since: null,
    watched_by: null,
  };
}

function queueOf(...rows: DueReceipt[]) {
  const queue = createDueQueue(() => ({ scale: 1, stretch: unstretched, random: Math.random }));
  queue.add(rows);
  return queue;
}

const takeAll = (queue: ReturnType<typeof queueOf>) =>
  Array.from({ length: 9 }, () => queue.take(now)?._id).filter((id) => id !== undefined);

describe('the queue of due receipts', () => {
  it('gives the hot ones first after an outage, in the order in which they were due, and starves nobody', () => {
    const queue = queueOf(
      due('normal, 5 h', 'normal', 5 * hour),
      due('hot, 1 h', 'hot', hour),
      due('hot, 3 h', 'hot', 3 * hour),
      due('slow, 9 h', 'slow', 9 * hour),
      due('normal, 60 h', 'normal', 60 * hour),
    );
    expect(takeAll(queue)).toEqual(['normal, 60 h', 'hot, 3 h', 'hot, 1 h', 'normal, 5 h', 'slow, 9 h']);
  });

  it('keeps what is not due yet, and takes nothing twice', () => {
    const queue = queueOf(due('later', 'hot', -1), due('now', 'hot', 0));
    queue.add([due('now', 'hot', 0)]);
    expect(takeAll(queue)).toEqual(['now']);
    queue.add([due('now', 'hot', 0)]);
    expect(takeAll(queue)).toEqual([]);
    queue.complete('now');
    queue.add([due('now', 'hot', 0)]);
    expect(takeAll(queue)).toEqual(['now']);
    expect(queue.sizeOf('hot')).toBe(1);
  });

  it('says once that one was lost, and forgets what was answered for somebody else', () => {
    const queue = queueOf(due('one', 'stop', 1), due('other', 'stop', 1));
    queue.requeueFromStore('one');
    expect([queue.shouldRewind(), queue.shouldRewind()]).toEqual([true, false]);
    queue.remove('other');
    expect(takeAll(queue)).toEqual(['one']);
  });
});
