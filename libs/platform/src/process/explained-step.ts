import { caseRef } from '@casewatch/contracts';
import { z } from 'zod';
import type { Report } from './operator-commands.ts';

/** One thing that happened to a case, for an operator: ids and states, no personal data. */
export const explainedStep = z.object({
  at: z.coerce.date(),
  service: z.string(),
  text: z.string(),
  trace_id: z.string().optional(),
});

export type ExplainedStep = z.output<typeof explainedStep>;

/** A case as people name it: its id, or FLOW and its id. */
export const explainedCase = caseRef.transform((ref) => Number(ref.replace('FLOW', '')));

/** The steps in time order; each line ends with the trace that shows the step. */
export function explainReport(steps: readonly ExplainedStep[]): Report {
  const sorted = steps.toSorted((a, b) => a.at.getTime() - b.at.getTime());
  const lines = sorted.map(({ at, service, text, trace_id }) => {
    const trace = trace_id === undefined ? '' : `  trace ${trace_id}`;
    return `${at.toISOString()}  ${service.padEnd(9)} ${text}${trace}`;
  });
  return { json: sorted, lines: lines.length === 0 ? ['There is no record of this case.'] : lines };
}

/** The trace id of a row. */
export function traceOf(traceparent: string): { trace_id: string } {
  return { trace_id: traceparent.slice(3, 35) };
}
