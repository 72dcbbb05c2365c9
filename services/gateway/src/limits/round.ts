/** Waiting for a word from each of several others. */
export type Round = {
  /** Resolves when the round is over. */
  readonly over: Promise<void>;
  isOver(): boolean;
  heard(other: string): void;
  /** Stops waiting for those who are gone. */
  keepOnly(present: { has(other: string): boolean }): void;
  end(): void;
};

type Options = {
  others: Iterable<string>;
  /** Over after this at the latest, ms; without it the others are waited for as long as they are there. */
  withinMs?: number;
  onEnd: () => void;
};

/** Begins a round; without others it is over at once. */
export function createRound({ others, withinMs, onEnd }: Options): Round {
  const awaited = new Set(others);
  const { promise, resolve } = Promise.withResolvers<void>();
  let isOver = false;
  const timer = withinMs === undefined ? undefined : setTimeout(end, withinMs);

  function end(): void {
    if (isOver) return;
    isOver = true;
    clearTimeout(timer);
    onEnd();
    resolve();
  }

  function endIfAllHeard(): void {
    if (awaited.size === 0) end();
  }

  endIfAllHeard();
  return {
    over: promise,
    isOver: () => isOver,
    heard(other) {
      awaited.delete(other);
      endIfAllHeard();
    },
    keepOnly(present) {
      for (const other of awaited) if (!present.has(other)) awaited.delete(other);
      endIfAllHeard();
    },
    end,
  };
}
