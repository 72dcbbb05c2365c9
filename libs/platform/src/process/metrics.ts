import { createServer } from 'node:http';
import type { ServiceName } from '@casewatch/contracts';
import type { Meter } from '@opentelemetry/api';
import { PrometheusExporter } from '@opentelemetry/exporter-prometheus';
import { resourceFromAttributes } from '@opentelemetry/resources';
import { MeterProvider } from '@opentelemetry/sdk-metrics';
import { listen } from '../http/server.ts';

export type Metrics = {
  readonly meter: Meter;
  readonly port?: number;
  stop(): Promise<void>;
};

type Settings = { HOST?: string; METRICS_PORT?: number | undefined };

const stopGraceMs = 1_000;

/** Labels are closed sets, never ids. Services in one process (tests) need their own providers. */
export async function startMetrics(service: ServiceName, settings: Settings): Promise<Metrics> {
  const { HOST: host = '0.0.0.0', METRICS_PORT: port } = settings;
  const exporter = new PrometheusExporter({ preventServerStart: true, withoutScopeInfo: true });
  const provider = new MeterProvider({
    resource: resourceFromAttributes({ 'service.name': service, 'service.namespace': 'casewatch' }),
    readers: port === undefined ? [] : [exporter],
  });
  const meter = provider.getMeter('casewatch');
  if (port === undefined) return { meter, stop: () => provider.shutdown() };
  const server = createServer((req, res) => {
    if (req.method === 'GET' && req.url === '/metrics') return exporter.getMetricsRequestHandler(req, res);
    res.writeHead(404).end();
  });
  const http = await listen(server, host, port, { drains: false });
  return {
    meter,
    port: http.port,
    async stop() {
      await http.stop(stopGraceMs);
      await provider.shutdown();
    },
  };
}

export function measureDependencies(meter: Meter, isUp: Readonly<Record<string, () => boolean>>): void {
  const description = 'Whether the connection to a dependency holds (1) or not (0)';
  meter.createObservableGauge('dependency.up', { description }).addCallback((result) => {
    for (const [dependency, check] of Object.entries(isUp)) result.observe(check() ? 1 : 0, { dependency });
  });
}
