import { monitorEventLoopDelay, performance } from 'node:perf_hooks';
import type { Meter } from '@opentelemetry/api';
import { createInstrument } from '../telemetry/metric-table.ts';
import { platformMetrics } from '../telemetry/platform-metrics.ts';

/** Interval of the samples of the event loop, ms: each sample wakes the process. */
const sampleMs = 200;
/** Samples are taken for so long after a scrape, ms: longer than the usual interval of scrapes. */
const neededMs = 120_000;

/** Measures CPU, memory and event loop of this process. Returns the function that ends this. */
export function measureProcess(meter: Meter): () => void {
  createInstrument(meter, platformMetrics, 'process.cpu.time.seconds').addCallback((result) => {
    const { user, system } = process.cpuUsage();
    result.observe(user / 1e6, { mode: 'user' });
    result.observe(system / 1e6, { mode: 'system' });
  });
  createInstrument(meter, platformMetrics, 'process.memory.usage.bytes').addCallback((result) => {
    const { rss, heapUsed, external } = process.memoryUsage();
    result.observe(rss, { area: 'rss' });
    result.observe(heapUsed, { area: 'heap_used' });
    result.observe(external, { area: 'external' });
  });
  const delay = monitorEventLoopDelay({ resolution: sampleMs });
  let timer: NodeJS.Timeout | undefined;
  createInstrument(meter, platformMetrics, 'nodejs.eventloop.delay.p99.seconds').addCallback((result) => {
    // A sample is the time since the sample before: the interval and the delay.
    const seconds = delay.percentile(99) / 1e9 - sampleMs / 1_000;
    if (delay.count > 0) result.observe(Math.max(0, seconds));
    delay.reset();
    delay.enable();
    clearTimeout(timer);
    timer = setTimeout(() => delay.disable(), neededMs).unref();
  });
  let last = performance.eventLoopUtilization();
  createInstrument(meter, platformMetrics, 'nodejs.eventloop.utilization').addCallback((result) => {
    const now = performance.eventLoopUtilization();
    result.observe(performance.eventLoopUtilization(now, last).utilization);
    last = now;
  });
  return () => {
    clearTimeout(timer);
    delay.disable();
  };
}
