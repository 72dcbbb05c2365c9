import { readFileSync } from 'node:fs';
import type { ErrorCode } from '../errors.ts';
import type { OperationName } from '../operations.ts';

/** `form`: a form-encoded body. */
export type RecordedExchange = {
  readonly request: {
    readonly path: string;
    readonly body?: unknown;
    readonly form?: Readonly<Record<string, string>>;
  };
  readonly status: number;
  readonly body: unknown;
};

/** Written by `npm run examples` from a running system, with placeholders for values that vary. */
export type RecordedExamples = {
  readonly operations: {
    [N in OperationName]?: {
      /** Successful responses; the usual one first. */
      readonly answers: readonly RecordedExchange[];
      readonly errors: { readonly [C in ErrorCode]?: RecordedExchange };
    };
  };
  readonly general: { readonly [C in ErrorCode]?: RecordedExchange };
};

let recorded: RecordedExamples | undefined;

/** Read once. A new operation has no examples until the next recording. */
export function recordedExamples(): RecordedExamples {
  recorded ??= JSON.parse(
    readFileSync(new URL('./recorded-examples.json', import.meta.url), 'utf8'),
  ) as RecordedExamples;
  return recorded;
}

/** The general one, otherwise that of the first operation with this code. */
export function recordedError(code: ErrorCode): RecordedExchange | undefined {
  const { general, operations } = recordedExamples();
  if (general[code]) return general[code];
  return Object.values(operations)
    .map(({ errors }) => errors[code])
    .find(Boolean);
}
