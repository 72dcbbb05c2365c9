import { createServer, type ServerResponse } from 'node:http';
import type { ServiceName } from '@casewatch/contracts';
import type { Meter } from '@opentelemetry/api';
import { PrometheusExporter } from '@opentelemetry/exporter-prometheus';
import { resourceFromAttributes } from '@opentelemetry/resources';
import { MeterProvider } from '@opentelemetry/sdk-metrics';
import { securityHeaders } from '../http/security-headers.ts';
import { listen } from '../http/server.ts';
import { measureProcess } from './process-metrics.ts';

/** @throws an error: the answer is 503 */
export type MakeFile = () => Promise<{
  type: string;
  text: string;
  headers?: Readonly<Record<string, string>>;
}>;

export type Metrics = {
  readonly meter: Meter;
  readonly port?: number;
  /** Serves one more file beside `/metrics`, for operators. */
  addFile(path: string, make: MakeFile): void;
  stop(): Promise<void>;
};

const stopGraceMs = 1_000;

/** Serves the metrics of a service. Services in one process need their own providers; all but one are `isBeside`. */
export async function startPrometheus(
  service: ServiceName | 'streams',
  { host, port, isBeside }: { host: string; port: number; isBeside: boolean },
): Promise<Metrics> {
  const exporter = new PrometheusExporter({ preventServerStart: true, withoutScopeInfo: true });
  const provider = new MeterProvider({
    resource: resourceFromAttributes({ 'service.name': service, 'service.namespace': 'casewatch' }),
    readers: [exporter],
  });
  const files = new Map<string, MakeFile>();
  const server = createServer((req, res) => {
    for (const [name, value] of Object.entries(securityHeaders)) res.setHeader(name, value);
    if (req.method === 'GET' && req.url === '/metrics') return exporter.getMetricsRequestHandler(req, res);
    const make = req.method === 'GET' ? files.get(req.url ?? '') : undefined;
    if (make) return void sendFile(make, res);
    res.writeHead(404).end();
  });
  const http = await listen(server, host, port, { drains: false });
  const meter = provider.getMeter('casewatch');
  const endProcess = isBeside ? () => undefined : measureProcess(meter);
  return {
    meter,
    port: http.port,
    addFile: (path, make) => void files.set(path, make),
    async stop() {
      await http.stop(stopGraceMs);
      endProcess();
      await provider.shutdown();
    },
  };
}

async function sendFile(make: MakeFile, res: ServerResponse): Promise<void> {
  try {
    const { type, text, headers } = await make();
    res.writeHead(200, { 'content-type': `${type}; charset=utf-8`, 'cache-control': 'no-store', ...headers });
    res.end(text);
  } catch (error) {
    const reason = error instanceof Error ? error.message : 'unknown';
    res.writeHead(503, { 'content-type': 'text/plain; charset=utf-8' }).end(`Not available: ${reason}\n`);
  }
}
