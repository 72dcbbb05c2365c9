const epoch = new Date(0);
/** A transaction commits rows up to this time after the due time that it gives them, ms. */
const marginMs = 20_000;
const wholeLookMs = 60_000;

/**
 * From where due rows are read: before the oldest one, the index has entries of rows that are no longer due, and reading
 * walks over them. A look once a minute reads the whole index.
 */
export function createLowWaterMark() {
  let mark = epoch;
  let nextWholeLook = 0;
  return {
    from(): Date {
      if (performance.now() < nextWholeLook) return mark;
      nextWholeLook = performance.now() + wholeLookMs;
      return epoch;
    },
    raise(oldest: Date): void {
      mark = new Date(oldest.getTime() - marginMs);
    },
    /** Rows of a released user may be due since then. */
    lower(oldest: Date): void {
      if (oldest.getTime() - marginMs < mark.getTime()) this.raise(oldest);
    },
  };
}
