import type { Meter } from '../telemetry/meter.ts';

/** `dependency.up`: 1 while the connection to each holds, as its driver knows it; nothing is asked during a scrape. */
export function measureDependencies(meter: Meter, isUp: Readonly<Record<string, () => boolean>>): void {
  const description = 'Whether the connection to a dependency holds (1) or not (0)';
  meter.createObservableGauge('dependency.up', { description }).addCallback((result) => {
    for (const [dependency, holds] of Object.entries(isUp)) result.observe(holds() ? 1 : 0, { dependency });
  });
}
