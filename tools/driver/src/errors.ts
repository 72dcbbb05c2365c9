/** A failure whose message says everything: programs print it without a stack trace and end with `exitCode`. */
export class DriverError extends Error {
  readonly exitCode = 1;
}

/** An answer with another status than the caller needs. */
export class UnexpectedAnswer extends DriverError {
  readonly status: number;
  readonly code: string | undefined;

  constructor(what: string, status: number, body: { code?: string; message?: string }) {
    super(`${what} answered ${status} ${body.code ?? ''} ${body.message ?? ''}`.trim());
    this.status = status;
    this.code = body.code;
  }
}
