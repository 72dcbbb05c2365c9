/** How often a look begins at the first row, ms. */
const wholeMs = 1_000;

export type Looks = ReturnType<typeof createLooks>;

/**
 * Where the relay's looks for new rows begin. MongoDB keeps the index keys of published rows until its next checkpoint, up to
 * a minute, and a look at all rows passes each of them. Each scan starts at the lowest row of the last two seconds. Once
 * a second it begins at the first row: for transactions that took longer, and for processes whose clocks are behind.
 */
export function createLooks(nowMs: () => number = () => performance.now()) {
  let wholeAt = 0;
  let isPartial = false;
  /** Lowest ids that were found since the last whole look, and between that and the one before. */
  let lowest: string | undefined;
  let former: string | undefined;

  return {
    /** The id behind which the next look begins; '' for a look at all rows. */
    begin(): string {
      const [first] = [lowest, former].filter((id) => id !== undefined).toSorted();
      if (first !== undefined && nowMs() < wholeAt) {
        isPartial = true;
        // A part of an id comes before the id.
        return first.slice(0, -1);
      }
      isPartial = false;
      wholeAt = nowMs() + wholeMs;
      former = lowest;
      lowest = undefined;
      return '';
    },
    /** `id`: the lowest row of a look. */
    found(id: string): void {
      if (lowest === undefined || id < lowest) lowest = id;
    },
    /** When a whole look is due, as `performance.now()`; after a whole look only when new rows come. */
    dueAt: () => (isPartial ? wholeAt : Number.POSITIVE_INFINITY),
  };
}
