import type { Logger } from './logger.ts';
import type { Tracing } from './trace-export.ts';
import type { TracingSettings } from './tracing-settings.ts';

/** Without an endpoint no span is created, and neither the SDK nor the exporter is loaded. */
export async function startTracing(
  service: string,
  { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, ...sampling }: TracingSettings,
  log: Logger,
): Promise<Tracing> {
  if (endpoint === undefined) return { stop: async () => undefined };
  const { startExport } = await import('./trace-export.ts');
  return startExport({ service, endpoint, sampling, log });
}
