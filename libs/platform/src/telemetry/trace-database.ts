import { tracingChannel } from 'node:diagnostics_channel';
import { currentContext } from './logger.ts';
import { failSpan, type Span, startSpan } from './spans.ts';

/** The channels of mongoose 9 (lib/tracing.js). Its messages also hold filters and documents, which must not be recorded. */
type Call = { operation: string; collection?: string; database?: string; error?: unknown };

const channels = [
  'mongoose:query',
  'mongoose:aggregate',
  'mongoose:model:insertMany',
  'mongoose:model:bulkWrite',
];

/** Adds a span for each call of MongoDB in a sampled trace. Returns the function that ends this. */
export function traceDatabase(): () => void {
  const spans = new WeakMap<object, Span>();
  const ignore = () => undefined;
  const subscriber = {
    start(message: unknown): void {
      const parent = currentContext();
      const call = message as Call;
      const span = parent && startSpan(parent, descriptionOf(call)).span;
      if (span) spans.set(call, span);
    },
    end: ignore,
    asyncStart: ignore,
    asyncEnd: (message: unknown) => spans.get(message as Call)?.end(),
    error(message: unknown): void {
      const { error } = message as Call;
      const span = spans.get(message as Call);
      if (span) failSpan(span, error instanceof Error ? error.name : 'unknown');
    },
  };
  for (const name of channels) tracingChannel(name).subscribe(subscriber);
  return () => {
    for (const name of channels) tracingChannel(name).unsubscribe(subscriber);
  };
}

function descriptionOf({ operation, collection = '', database = '' }: Call) {
  return {
    name: `${operation} ${collection}`.trimEnd(),
    kind: 'client' as const,
    attributes: {
      'db.system.name': 'mongodb',
      'db.operation.name': operation,
      'db.collection.name': collection,
      'db.namespace': database,
    },
  };
}
