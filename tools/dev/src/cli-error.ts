/** A failure whose message is complete: it is printed without a stack trace. */
export class CliError extends Error {
  readonly exitCode = 1;

  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'Problem';
  }
}

export function exitWith(err: unknown): never {
  const code = err instanceof Error && 'exitCode' in err ? Number(err.exitCode) : undefined;
  const text = err instanceof Error ? (code === undefined ? err.stack : err.message) : String(err);
  console.error(`\n${text}`);
  process.exit(code ?? 1);
}
