import { detached } from '@casewatch/platform';

type Limits = { rows: number; ms: number };

export function createTimedBatch<Row>(limits: Limits, write: (rows: Row[]) => Promise<void>) {
  let rows: Row[] = [];
  let timer: NodeJS.Timeout | undefined;
  let writing: Promise<void> = Promise.resolve();

  async function writeAll(): Promise<void> {
    const batch = rows;
    rows = [];
    await write(batch);
  }

  /** One batch at a time: two would wait for the same journal. */
  async function flush(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    writing = writing.then(writeAll);
    await writing;
  }

  function scheduleFlush(): void {
    timer ??= setTimeout(() => void detached(flush), limits.ms);
  }

  return {
    flush,
    scheduleFlush,
    add(row: Row): void {
      rows.push(row);
      if (rows.length >= limits.rows) void detached(flush);
      else scheduleFlush();
    },
  };
}
