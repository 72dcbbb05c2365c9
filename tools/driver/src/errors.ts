/** A failure that programs print without a stack trace. */
export class DriverError extends Error {
  readonly exitCode = 1;
}

export class UnexpectedAnswer extends DriverError {
  readonly status: number;
  readonly code: string | undefined;

  constructor(request: string, status: number, body: { code?: string; message?: string }) {
    super(`${request} answered ${status} ${body.code ?? ''} ${body.message ?? ''}`.trim());
    this.status = status;
    this.code = body.code;
  }
}

/** The body of an answer with one of these statuses. @throws UnexpectedAnswer */
export function expectStatus<T>(
  request: string,
  { status, body }: { status: number; body: T },
  ...expected: number[]
): T {
  if (expected.includes(status)) return body;
  throw new UnexpectedAnswer(request, status, body as object);
}
