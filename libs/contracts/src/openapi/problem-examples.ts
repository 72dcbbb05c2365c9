import { type ErrorCode, errorCatalogue, isRetryable, titleOf } from '../errors.ts';
import type { Problem } from '../resources/problem.ts';
import { recordedError } from './recorded-examples.ts';

/**
 * One example of each code that a document refers to.
 * @param text the document's other parts as JSON, in which the references stand
 */
export function problemExamples(text: string): Record<string, { summary: string; value: Problem }> {
  const codes = (Object.keys(errorCatalogue) as ErrorCode[]).filter((code) =>
    text.includes(`"#/components/examples/${code}"`),
  );
  return Object.fromEntries(
    codes.map((code) => [code, { summary: errorCatalogue[code].message, value: problemExample(code) }]),
  );
}

/** A problem with this code as it went over the wire; one that was not recorded is made up, without faults. */
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
