import type { Span } from './otlp.ts';

/** In development the monitor makes up to 20 checks a second, each with a trace of its own. */
const keptTraces = 5_000;

/** The spans of the last 5,000 traces, by trace id; a trace with a new span counts as new. */
export function createTraceStore() {
  const traces = new Map<string, Span[]>();
  return {
    add(spans: readonly Span[]): void {
      for (const span of spans) {
        const known = traces.get(span.trace_id) ?? [];
        traces.delete(span.trace_id);
        traces.set(span.trace_id, [...known, span]);
      }
      for (const id of traces.keys()) {
        if (traces.size <= keptTraces) break;
        traces.delete(id);
      }
    },
    of: (traceId: string): Span[] => traces.get(traceId) ?? [],
    /** The newest first. */
    all: (): Span[][] => [...traces.values()].reverse(),
    clear: () => traces.clear(),
  };
}

type TraceStore = ReturnType<typeof createTraceStore>;
