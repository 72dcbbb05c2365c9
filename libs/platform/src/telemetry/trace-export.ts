import { DiagLogLevel, diag } from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { resourceFromAttributes } from '@opentelemetry/resources';
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  BatchSpanProcessor,
  ParentBasedSampler,
  type Sampler,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace';
import { withDeadline } from '../timing/deadline.ts';
import type { Logger } from './logger.ts';
import { setTracer } from './spans.ts';
import { traceDatabase } from './trace-database.ts';
import type { TracingSettings } from './tracing-settings.ts';

export type Tracing = { stop(): Promise<void> };

type Options = {
  service: string;
  endpoint: string;
  sampling: Pick<TracingSettings, 'OTEL_TRACES_SAMPLER' | 'OTEL_TRACES_SAMPLER_ARG'>;
  log: Logger;
};

/** Longest time that a span waits for its export, ms. */
const exportMs = 1_000;
/** Longest time of the last export, ms: the exporter tries for 8 s if the collector is away. */
const stopMs = 3_000;

/** One tracer for the process: the spans of a process are of one service. */
export function startExport({ service, endpoint, sampling, log }: Options): Tracing {
  const report = (message: string) => log.warn({ detail: message }, 'traces not exported');
  const silent = () => undefined;
  diag.setLogger(
    { error: report, warn: report, info: silent, debug: silent, verbose: silent },
    { logLevel: DiagLogLevel.WARN, suppressOverrideMessage: true },
  );
  const exporter = new OTLPTraceExporter({ url: `${endpoint.replace(/\/$/, '')}/v1/traces` });
  const provider = new TracerProvider({
    resource: resourceFromAttributes({ 'service.name': service, 'service.namespace': 'casewatch' }),
    sampler: new ParentBasedSampler({ root: rootSampler(sampling) }),
    spanProcessors: [new BatchSpanProcessor({ exporter, scheduledDelayMillis: exportMs })],
  });
  setTracer(provider.getTracer('casewatch'));
  const endDatabase = traceDatabase();
  return {
    async stop() {
      setTracer(undefined);
      endDatabase();
      await withDeadline(provider.shutdown(), stopMs, 'the last export of traces').catch((error: unknown) =>
        log.warn({ err: error }, 'traces not exported'),
      );
    },
  };
}

/** A trace continues as it began, so `parentbased_` changes nothing here. */
function rootSampler({
  OTEL_TRACES_SAMPLER: name,
  OTEL_TRACES_SAMPLER_ARG: ratio,
}: Options['sampling']): Sampler {
  if (name?.endsWith('always_off')) return new AlwaysOffSampler();
  return name?.endsWith('traceidratio') ? new TraceIdRatioBasedSampler(ratio ?? 1) : new AlwaysOnSampler();
}
