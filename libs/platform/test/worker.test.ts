import { EventEmitter, once } from 'node:events';
import { createLogger, worker } from '@casewatch/platform';
import { describe, expect, it } from '@jest/globals';

const log = createLogger('notifier', 'silent');
const hourMs = 60 * 60 * 1_000;

describe('a worker', () => {
  it('handles what a signal says was added, long before its sweep, and so many at a time', async () => {
    const signals = new EventEmitter();
    const due: number[] = [];
    const finish: (() => void)[] = [];
    const running = worker({
      ...{ log, name: 'test', concurrency: 2, sweepMs: hourMs },
      claim: async () => due.shift() ?? null,
      handle: async (item: number) => {
        const finished = new Promise<void>((resolve) => finish.push(resolve));
        signals.emit('begun', item);
        await finished;
      },
      wakeOn: (wake) => signals.on('added', wake),
    });
    due.push(1, 2, 3);
    const two = once(signals, 'begun').then(() => once(signals, 'begun'));
    signals.emit('added');
    expect(await two).toEqual([2]);
    expect(due).toEqual([3]);

    const third = once(signals, 'begun');
    finish.shift()?.();
    expect(await third).toEqual([3]);
    const stopped = running.stop();
    for (const end of finish) end();
    await stopped;
  });

  it('goes on after an item and a claim that failed', async () => {
    const signals = new EventEmitter();
    const claims = [() => 1, () => Promise.reject(new Error('the database is away')), () => 2];
    const running = worker({
      ...{ log, name: 'test', concurrency: 1, sweepMs: hourMs },
      claim: async () => (await claims.shift()?.()) ?? null,
      handle: async (item: number) => {
        signals.emit(`item ${item}`);
        throw new Error('not finished');
      },
      wakeOn: (wake) => signals.on('added', wake),
    });
    const second = once(signals, 'item 2');
    signals.emit('added');
    await second;
    await running.stop();
  });
});
