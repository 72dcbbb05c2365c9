/** A refused control operation, answered as `{error: <sentence>}` with the status. */
export class ControlError extends Error {
  readonly status: number;

  constructor(status: number, sentence: string) {
    super(sentence);
    this.name = 'ControlError';
    this.status = status;
  }
}
