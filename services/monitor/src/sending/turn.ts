/** The right to write one request at one moment; `sent` is its place in the order of sending. */
export type Turn = {
  readonly sent: number;
  readonly isWritten: boolean;
  /** Asked once, at the moment of writing: true = written now. */
  mayWrite(): boolean;
  /** What was not written costs nothing. */
  release(): void;
};

/** No turn is to be had: budget, breaker, hours, lease, or a wait that was too long. */
export class TurnRefusedError extends Error {
  override readonly name = 'TurnRefusedError';
  /** When it is worth asking again, ms. */
  readonly waitMs: number;

  constructor(reason: string, waitMs: number) {
    super(reason);
    this.waitMs = waitMs;
  }
}

/** Gives the next request under a lease its place in the order of sending. */
export type SendOrder = (fence: number) => number;

/** One for each process: fences grow with each holder, counts within one process. So later requests have the higher number. */
export function createSendOrder(): SendOrder {
  let count = 0;
  return (fence) => {
    count += 1;
    return fence * 2 ** 32 + count;
  };
}
