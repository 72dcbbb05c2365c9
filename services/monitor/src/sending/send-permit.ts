/** The right to write one request in one slot. `sent`: place of the request in the order of sending. */
export type SendPermit = {
  readonly sent: number;
  /** Asked once, at the moment of writing; false = the slot is over. */
  mayWrite(): boolean;
  release(): void;
};

/** Nothing can be sent now, because of quota, breaker, hours, pause, lease or a long wait. */
export class SendRefusedError extends Error {
  override readonly name = 'SendRefusedError';
  /** Time until a retry makes sense, ms. */
  readonly waitMs: number;

  constructor(reason: string, waitMs: number) {
    super(reason);
    this.waitMs = waitMs;
  }
}
