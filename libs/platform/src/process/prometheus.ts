import { createServer } from 'node:http';
import type { ServiceName } from '@casewatch/contracts';
import type { Meter } from '@opentelemetry/api';
import { PrometheusExporter } from '@opentelemetry/exporter-prometheus';
import { resourceFromAttributes } from '@opentelemetry/resources';
import { MeterProvider } from '@opentelemetry/sdk-metrics';
import { listen } from '../http/server.ts';
import { measureProcess } from './process-metrics.ts';

export type Metrics = {
  readonly meter: Meter;
  readonly port?: number;
  stop(): Promise<void>;
};

const stopGraceMs = 1_000;

/** Serves the metrics of a service. Services in one process (tests) need their own providers. */
export async function startPrometheus(service: ServiceName, host: string, port: number): Promise<Metrics> {
  const exporter = new PrometheusExporter({ preventServerStart: true, withoutScopeInfo: true });
  const provider = new MeterProvider({
    resource: resourceFromAttributes({ 'service.name': service, 'service.namespace': 'casewatch' }),
    readers: [exporter],
  });
  const server = createServer((req, res) => {
    if (req.method === 'GET' && req.url === '/metrics') return exporter.getMetricsRequestHandler(req, res);
    res.writeHead(404).end();
  });
  const http = await listen(server, host, port, { drains: false });
  const meter = provider.getMeter('casewatch');
  const endProcess = measureProcess(meter);
  return {
    meter,
    port: http.port,
    async stop() {
      await http.stop(stopGraceMs);
      endProcess();
      await provider.shutdown();
    },
  };
}
