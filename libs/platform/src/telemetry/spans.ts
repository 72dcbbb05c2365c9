import {
  type Attributes,
  type Link,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  type Tracer,
  trace,
} from '@opentelemetry/api';
import { type CallContext, currentContext, inContext, newContext } from './logger.ts';
import { spanContextOf, traceparentOf } from './traceparent.ts';

export type { Span } from '@opentelemetry/api';

/** `attributes` hold ids and closed sets; never a name, an address, a phone, a receipt number, a key, a code or a token. */
export type SpanDescription = {
  readonly name: string;
  readonly kind?: keyof typeof kinds;
  readonly attributes?: Attributes;
};

/** A started span with the context of its work. `span` is missing where nothing is recorded; the context is then the parent's. */
export type StartedSpan = { readonly context: CallContext; readonly span?: Span };

const kinds = {
  internal: SpanKind.INTERNAL,
  server: SpanKind.SERVER,
  client: SpanKind.CLIENT,
  producer: SpanKind.PRODUCER,
  consumer: SpanKind.CONSUMER,
};

/** Missing without tracing: then no span is ever created. */
let tracer: Tracer | undefined;

export function setTracer(next: Tracer | undefined): void {
  tracer = next;
}

export function isTracing(): boolean {
  return tracer !== undefined;
}

/** Starts a span in the trace of `parent`, if that trace is sampled. */
export function startSpan(parent: CallContext, description: SpanDescription): StartedSpan {
  if (tracer === undefined || !parent.traceparent.endsWith('-01')) return { context: parent };
  const parentSpan = spanContextOf(parent.traceparent);
  if (parentSpan === undefined) return { context: parent };
  const span = tracer.startSpan(
    description.name,
    optionsOf(description),
    trace.setSpanContext(ROOT_CONTEXT, parentSpan),
  );
  return { context: { ...parent, traceparent: traceparentOf(span.spanContext()) }, span };
}

/** Starts a trace. Only here it is decided whether the trace is sampled. `outside`: a traceparent that is linked, not trusted. */
export function startTrace(
  context: CallContext,
  description: SpanDescription,
  outside?: string,
): StartedSpan {
  if (tracer === undefined) return { context };
  const linked = spanContextOf(outside);
  const links: Link[] = linked ? [{ context: linked }] : [];
  const span = tracer.startSpan(description.name, { ...optionsOf(description), links }, ROOT_CONTEXT);
  const started = { ...context, traceparent: traceparentOf(span.spanContext()) };
  return span.isRecording() ? { context: started, span } : { context: started };
}

function optionsOf({ kind = 'internal', attributes = {} }: SpanDescription) {
  return { kind: kinds[kind], attributes };
}

/** Runs `work` in a span of the current trace. */
export function inSpan<T>(
  description: SpanDescription,
  work: (span: Span | undefined) => Promise<T>,
): Promise<T> {
  const parent = currentContext();
  const started = parent && startSpan(parent, description);
  return started?.span ? runIn(started, work) : work(undefined);
}

/** Runs `work` in a context and a trace of its own. */
export function inTrace<T>(
  description: SpanDescription,
  work: (span: Span | undefined) => Promise<T>,
): Promise<T> {
  return runIn(startTrace(newContext(), description), work);
}

async function runIn<T>(
  { context, span }: StartedSpan,
  work: (span: Span | undefined) => Promise<T>,
): Promise<T> {
  if (span === undefined) return await inContext(context, () => work(undefined));
  try {
    return await inContext(context, () => work(span));
  } catch (error) {
    failSpan(span, typeOf(error));
    throw error;
  } finally {
    span.end();
  }
}

/** The message of an error can hold personal data; its type cannot. */
export function failSpan(span: Span, errorType: string): void {
  span.setStatus({ code: SpanStatusCode.ERROR });
  span.setAttribute('error.type', errorType);
}

function typeOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown';
  return 'code' in error && typeof error.code === 'string' ? error.code : error.name;
}
