import type { ServiceName } from '@casewatch/contracts';
import { createNoopMeter, type Meter } from '@opentelemetry/api';
import type { FollowedClock } from '../timing/followed-clock.ts';
import { createInstrument } from '../telemetry/metric-table.ts';
import { platformMetrics } from '../telemetry/platform-metrics.ts';
import type { Metrics } from './prometheus.ts';

type Settings = { HOST?: string; METRICS_PORT?: number | undefined };

/** Labels are closed sets, never ids. Without a port nothing is measured, and the exporter is not loaded. `isBeside`: see Overrides. */
export async function startMetrics(
  service: ServiceName | 'streams',
  settings: Settings,
  isBeside = false,
): Promise<Metrics> {
  const { HOST: host = '0.0.0.0', METRICS_PORT: port } = settings;
  if (port === undefined)
    return { meter: createNoopMeter(), addFile: () => undefined, stop: async () => undefined };
  const { startPrometheus } = await import('./prometheus.ts');
  return await startPrometheus(service, { host, port, isBeside });
}

export function measureDependencies(meter: Meter, isUp: Readonly<Record<string, () => boolean>>): void {
  createInstrument(meter, platformMetrics, 'dependency.up').addCallback((result) => {
    for (const [dependency, check] of Object.entries(isUp)) result.observe(check() ? 1 : 0, { dependency });
  });
}

export function measureClock(meter: Meter, clock: FollowedClock): void {
  createInstrument(meter, platformMetrics, 'clock.time').addCallback((result) =>
    result.observe(clock.now().getTime() / 1_000),
  );
  createInstrument(meter, platformMetrics, 'clock.difference').addCallback((result) => {
    const { wallMs, sourceMs } = clock.differences();
    result.observe(wallMs / 1_000, { clock: 'wall' });
    if (sourceMs !== null) result.observe(sourceMs / 1_000, { clock: 'source' });
  });
}
