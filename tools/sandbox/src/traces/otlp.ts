import { z } from 'zod';

/** One span as the viewer and the tests read it; times in ms since 1970. */
export interface Span {
  trace_id: string;
  span_id: string;
  parent_id: string | null;
  service: string;
  name: string;
  kind: string;
  start_ms: number;
  end_ms: number;
  is_error: boolean;
  attributes: Record<string, string>;
  /** Ids of linked traces. */
  links: string[];
}

const value = z.record(z.string(), z.unknown());
const attributes = z.array(z.object({ key: z.string(), value })).default([]);
const nanoseconds = z.union([z.string(), z.number()]).transform((text) => Number(text) / 1e6);

const span = z.object({
  traceId: z.string(),
  spanId: z.string(),
  parentSpanId: z.string().optional(),
  name: z.string(),
  kind: z.number().default(0),
  startTimeUnixNano: nanoseconds,
  endTimeUnixNano: nanoseconds,
  attributes,
  status: z.object({ code: z.number().default(0) }).default({ code: 0 }),
  links: z.array(z.object({ traceId: z.string() })).default([]),
});

/** The body of `POST /v1/traces` (OTLP/HTTP, JSON). */
export const exportBody = z.object({
  resourceSpans: z
    .array(
      z.object({
        resource: z.object({ attributes }),
        scopeSpans: z.array(z.object({ spans: z.array(span).default([]) })),
      }),
    )
    .default([]),
});

const kinds = ['unspecified', 'internal', 'server', 'client', 'producer', 'consumer'];
const errorCode = 2;

export function spansOf({ resourceSpans }: z.output<typeof exportBody>): Span[] {
  return resourceSpans.flatMap(({ resource, scopeSpans }) => {
    const service = textsOf(resource.attributes)['service.name'] ?? 'unknown';
    return scopeSpans.flatMap(({ spans }) => spans.map((sent) => toSpan(sent, service)));
  });
}

function toSpan(sent: z.output<typeof span>, service: string): Span {
  return {
    trace_id: sent.traceId,
    span_id: sent.spanId,
    parent_id: sent.parentSpanId || null,
    service,
    name: sent.name,
    kind: kinds[sent.kind] ?? 'unspecified',
    start_ms: sent.startTimeUnixNano,
    end_ms: sent.endTimeUnixNano,
    is_error: sent.status.code === errorCode,
    attributes: textsOf(sent.attributes),
    links: sent.links.map(({ traceId }) => traceId),
  };
}

/** A value has one field, named for its type. */
function textsOf(list: z.output<typeof attributes>): Record<string, string> {
  return Object.fromEntries(list.map(({ key, value: typed }) => [key, String(Object.values(typed)[0])]));
}
