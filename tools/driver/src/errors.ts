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

/** The answer's body when its status is one of these. @throws UnexpectedAnswer */
export function expectStatus<T>(
  what: string,
  { status, body }: { status: number; body: T },
  ...wanted: number[]
): T {
  if (wanted.includes(status)) return body;
  throw new UnexpectedAnswer(what, status, body as object);
}
