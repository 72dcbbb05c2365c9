import mongoose from 'mongoose';
import { ApiError } from '../errors.ts';
import { timeLeftMs } from '../timing/time-left.ts';

/** Longest time of one command that no caller waits for, ms; mongod ends it before the socket's time-out does. */
const backgroundMs = 9_000;

const queries = [
  'countDocuments',
  'deleteMany',
  'deleteOne',
  'distinct',
  'estimatedDocumentCount',
  'find',
  'findOne',
  'findOneAndDelete',
  'findOneAndUpdate',
  'updateMany',
  'updateOne',
] as const;

type Write = (this: mongoose.Model<unknown>, rows: unknown, options: object) => Promise<unknown>;

/**
 * Has mongod end every command of a connection's models with its caller's time (`maxTimeMS`; the driver's own
 * `timeoutMS` has no effect). A command whose time is over is not sent.
 */
export function limitCommands(connection: mongoose.Connection): void {
  connection.plugin((schema: mongoose.Schema) => {
    for (const name of queries) {
      schema.pre(name, { query: true, document: false }, function () {
        // A query may have a shorter limit of its own.
        this.setOptions({ maxTimeMS: commandMs(this.getOptions().maxTimeMS) });
      });
    }
    schema.pre('aggregate', function () {
      this.option({ maxTimeMS: commandMs() });
    });
    // Their hooks cannot set options.
    for (const name of ['insertMany', 'bulkWrite'] as const) {
      const write = mongoose.Model[name] as Write;
      schema.static(name, function (...[rows, options]: unknown[]) {
        return write.call(this, rows, { ...(options as object), maxTimeMS: commandMs() });
      });
    }
  });
}

/**
 * What a command may take now, ms; `longestMs` where no caller waits.
 * @throws ApiError service_unavailable where the caller does not wait any more
 */
export function commandMs(longestMs = backgroundMs): number {
  const ms = Math.ceil(Math.min(timeLeftMs(), longestMs));
  if (ms > 0) return ms;
  throw new ApiError('service_unavailable', { detail: 'the time of the call is over' });
}
