import type { Meter } from '@opentelemetry/api';
import { toApiError } from '../errors.ts';
import { createInstrument } from '../telemetry/metric-table.ts';
import { platformMetrics } from '../telemetry/platform-metrics.ts';

type Reply = { ok: true } | { ok: false; error: { code: string } };

/** Measures requests to other services. */
export function measureRequests(meter: Meter | undefined) {
  const duration = meter && createInstrument(meter, platformMetrics, 'bus.request.duration.seconds');
  return async <R extends Reply>(request: string, send: () => Promise<R>): Promise<R> => {
    if (duration === undefined) return await send();
    const startMs = performance.now();
    const record = (outcome: string) =>
      duration.record((performance.now() - startMs) / 1_000, { request, outcome });
    try {
      const reply = await send();
      record(reply.ok ? 'ok' : reply.error.code);
      return reply;
    } catch (error) {
      record(toApiError(error).code);
      throw error;
    }
  };
}
