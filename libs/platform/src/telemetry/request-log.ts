import type { CallerIds } from './security-log.ts';
import { type CallContext, logFieldsOf, type Logger, outputOf } from './logger.ts';

/** Ids and closed sets: nothing has to be masked. */
export type RequestLine = {
  readonly method: string;
  readonly operation: string;
  readonly status: number;
  readonly ms: number;
  readonly complete: boolean;
} & CallerIds;

/** Writes the log line of a request, as `log.info` would. pino takes five times as long, a tenth of the gateway's CPU. */
export function createRequestLog(log: Logger): (context: CallContext, line: RequestLine) => void {
  const output = outputOf(log);
  if (output === undefined || !log.isLevelEnabled('info')) return () => undefined;
  const { service } = log.bindings();
  return (context, line) => {
    // One object of all fields takes twice as long.
    const fields = `"service":"${service}",${membersOf(logFieldsOf(context))},${membersOf(line)}`;
    output.write(`{"level":"info","time":"${timeText()}",${fields},"msg":"request"}\n`);
  };
}

/** The JSON of an object without its braces. */
function membersOf(fields: object): string {
  return JSON.stringify(fields).slice(1, -1);
}

let textOf = 0;
let text = '';

/** Many requests end in the same millisecond. */
function timeText(): string {
  const now = Date.now();
  if (now !== textOf) text = new Date(now).toISOString();
  textOf = now;
  return text;
}
