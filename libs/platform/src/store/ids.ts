import { withoutTimeLimit } from '../timing/time-left.ts';
import { collection } from './collection.ts';
import { type Connection, retryOnDuplicate } from './mongo.ts';

/** Integer ids. They may have gaps, and their order means nothing (architecture.md §2). */
export type Ids = { next(name: string): Promise<number> };

type Block = { next: number; end: number };
type CounterRow = { _id: string; next: number };

const counterModel = collection<CounterRow>('counters', String);

/** Reserves ids in blocks, so that most ids cost no write. */
export function createIds(connection: Connection, blockSize = 50): Ids {
  const counters = counterModel(connection);
  const blocks = new Map<string, Promise<Block>>();

  async function reserveBlock(name: string): Promise<Block> {
    const options = { upsert: true, returnDocument: 'after' } as const;
    const change = { $inc: { next: blockSize } };
    const row = await retryOnDuplicate(() =>
      counters.findOneAndUpdate({ _id: name }, change, options).lean().orFail(),
    );
    return { next: row.next - blockSize + 1, end: row.next };
  }

  return {
    async next(name) {
      const pending = blocks.get(name) ?? withoutTimeLimit(() => reserveBlock(name));
      blocks.set(name, pending);
      const block = await pending.catch((error: unknown) => {
        if (blocks.get(name) === pending) blocks.delete(name);
        throw error;
      });
      if (block.next <= block.end) return block.next++;
      if (blocks.get(name) === pending) blocks.delete(name);
      return await this.next(name);
    },
  };
}
