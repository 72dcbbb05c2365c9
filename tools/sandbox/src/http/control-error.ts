/** A refusal of a control operation: answered as `{error: <sentence>}` with its HTTP status. */
export class ControlError extends Error {
  readonly status: number;

  /** @param status HTTP status of the answer @param sentence what is wrong, for people */
  constructor(status: number, sentence: string) {
    super(sentence);
    this.name = 'ControlError';
    this.status = status;
  }
}
