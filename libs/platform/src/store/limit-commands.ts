import mongoose from 'mongoose';
import { ApiError } from '../errors.ts';
import { timeLeftMs } from '../timing/time-left.ts';

/** Longest time of a command without a waiting caller, ms: shorter than the socket's time-out. */
const backgroundMs = 9_000;

const queries = /^(count|delete|distinct|estimated|find|replace|update)/;

type Write = (this: mongoose.Model<unknown>, rows: unknown, options: object) => Promise<unknown>;

/** Sets `maxTimeMS` of every command of a connection to its caller's time left. The driver's `timeoutMS` has no effect. */
export function limitCommands(connection: mongoose.Connection): void {
  connection.plugin((schema: mongoose.Schema) => {
    schema.pre(queries, { query: true, document: false }, function (this: mongoose.Query<unknown, unknown>) {
      this.setOptions({ maxTimeMS: commandMs(this.getOptions().maxTimeMS) });
    });
    schema.pre('aggregate', function () {
      this.option({ maxTimeMS: commandMs() });
    });
    // Hooks of these two cannot set options.
    for (const name of ['insertMany', 'bulkWrite'] as const) {
      const write = mongoose.Model[name] as Write;
      schema.static(name, function (...[rows, options]: unknown[]) {
        return write.call(this, rows, { ...(options as object), maxTimeMS: commandMs() });
      });
    }
  });
}

/** The time of a command, ms. @throws ApiError service_unavailable if the caller no longer waits */
export function commandMs(longestMs = backgroundMs): number {
  const ms = Math.ceil(Math.min(timeLeftMs(), longestMs));
  if (ms > 0) return ms;
  throw new ApiError('service_unavailable', { detail: 'no time left for a database command' });
}
