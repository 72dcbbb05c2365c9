import { readFileSync } from 'node:fs';
import type { ErrorCode } from '../errors.ts';
import type { OperationName } from '../operations.ts';

/** A request as it was sent, and what it was answered; `form` is a body that is form-encoded. */
export type RecordedExchange = {
  readonly request: {
    readonly path: string;
    readonly body?: unknown;
    readonly form?: Readonly<Record<string, string>>;
  };
  readonly status: number;
  /** Null where the answer has none. */
  readonly body: unknown;
};

/** What a running system answered (npm run examples), with stand-ins for what differs from run to run. */
export type RecordedExamples = {
  readonly operations: {
    [N in OperationName]?: {
      /** What succeeds; the usual one first. */
      readonly answers: readonly RecordedExchange[];
      readonly errors: { readonly [C in ErrorCode]?: RecordedExchange };
    };
  };
  /** Errors that mean the same at every operation. */
  readonly general: { readonly [C in ErrorCode]?: RecordedExchange };
};

let recorded: RecordedExamples | undefined;

/** The recorded examples, read once, at first use. An operation that is new has none until they are recorded again. */
export function recordedExamples(): RecordedExamples {
  recorded ??= JSON.parse(
    readFileSync(new URL('./recorded-examples.json', import.meta.url), 'utf8'),
  ) as RecordedExamples;
  return recorded;
}

/** The recorded failure with this code: the general one, else that of the first operation that has it. */
export function recordedError(code: ErrorCode): RecordedExchange | undefined {
  const { general, operations } = recordedExamples();
  if (general[code]) return general[code];
  return Object.values(operations)
    .map(({ errors }) => errors[code])
    .find(Boolean);
}
