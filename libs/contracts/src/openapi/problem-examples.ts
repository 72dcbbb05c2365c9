import { type ErrorCode, errorCatalogue, isRetryable, titleOf } from '../errors.ts';
import type { Problem } from '../resources/problem.ts';
import { recordedError } from './recorded-examples.ts';

/** @param text the rest of the document as JSON; codes without a reference in it are left out */
export function problemExamples(text: string): Record<string, { summary: string; value: Problem }> {
  const codes = (Object.keys(errorCatalogue) as ErrorCode[]).filter((code) =>
    text.includes(`"#/components/examples/${code}"`),
  );
  return Object.fromEntries(
    codes.map((code) => [code, { summary: errorCatalogue[code].message, value: problemExample(code) }]),
  );
}

/** The recorded problem; without a recording, a generated one. */
export function problemExample(code: ErrorCode): Problem {
  const recorded = recordedError(code);
  // The recorder checks it against the schema.
  if (recorded) return recorded.body as Problem;
  const { status, message } = errorCatalogue[code];
  return {
    success: false,
    message,
    code,
    status,
    title: titleOf(status),
    type: `/problems/${code}`,
    detail: message,
    instance: 'urn:request:req_5f1d7a52c3e94b0d8a6f21c4',
    request_id: 'req_5f1d7a52c3e94b0d8a6f21c4',
    retryable: isRetryable(code),
    errors: [],
  };
}
