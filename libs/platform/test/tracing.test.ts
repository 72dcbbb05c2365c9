import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import {
  ApiError,
  createApp,
  createHttpServer,
  createLogger,
  inContext,
  inSpan,
  inTrace,
  listen,
  newContext,
  rowContext,
} from '@casewatch/platform';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { startTracing } from '../src/telemetry/tracing.ts';
import type { TracingSettings } from '../src/telemetry/tracing-settings.ts';

type Sent = { spanId: string; parentSpanId?: string; traceId: string; name: string; attributes: unknown };
type Body = { resourceSpans: { scopeSpans: { spans: Sent[] }[] }[] };

const log = createLogger('cases', 'silent');
const sent: Sent[] = [];
const collector = createServer(async (req, res) => {
  const { resourceSpans } = (await json(req)) as Body;
  sent.push(...resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans)));
  res.end('{}');
});
let endpoint: string;
beforeAll(async () => {
  collector.listen(0, '127.0.0.1');
  await once(collector, 'listening');
  endpoint = `http://127.0.0.1:${(collector.address() as AddressInfo).port}/`;
});
afterAll(() => void collector.close());
beforeEach(() => void sent.splice(0));

/** Runs `work` in a process that sends its spans to the collector; they have arrived when it returns. */
async function traced<T>(settings: TracingSettings, work: () => Promise<T>): Promise<T> {
  const tracing = await startTracing('cases', { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, ...settings }, log);
  try {
    return await work();
  } finally {
    await tracing.stop();
  }
}

const step = (name: string) => inSpan({ name }, async () => rowContext().traceparent);

describe('a trace', () => {
  it('has a span for each step, below the step that called it', async () => {
    const traceparent = await traced({}, () => inTrace({ name: 'check' }, () => step('ask')));
    const [ask, check] = sent;
    expect(sent.map(({ name }) => name)).toEqual(['ask', 'check']);
    expect(check?.parentSpanId).toBeUndefined();
    expect(ask?.parentSpanId).toBe(check?.spanId);
    expect(traceparent).toBe(`00-${check?.traceId}-${ask?.spanId}-01`);
  });

  it('continues from a stored row', async () => {
    const stored = await traced({}, () => inTrace({ name: 'write' }, async () => rowContext()));
    await traced({}, () => inContext(newContext(stored.request_id, stored.traceparent), () => step('send')));
    expect(sent.map(({ name, traceId }) => [name, traceId])).toEqual([
      ['write', stored.traceparent.slice(3, 35)],
      ['send', stored.traceparent.slice(3, 35)],
    ]);
    expect(sent[1]?.parentSpanId).toBe(sent[0]?.spanId);
  });

  it.each([
    { OTEL_TRACES_SAMPLER: 'parentbased_traceidratio', OTEL_TRACES_SAMPLER_ARG: 0 },
    { OTEL_TRACES_SAMPLER: 'always_off' },
  ] as const)(
    'that is not sampled ($OTEL_TRACES_SAMPLER) says so to every step, and has no span',
    async (settings) => {
      const traceparent = await traced(settings, () => inTrace({ name: 'check' }, () => step('ask')));
      expect(traceparent).toMatch(/^00-[0-9a-f]{32}-[0-9a-f]{16}-00$/);
      await traced({}, () => inContext(newContext('req_1', traceparent), () => step('send')));
      expect(sent).toEqual([]);
    },
  );

  it('is sampled by the part that the setting names', async () => {
    const settings = {
      OTEL_TRACES_SAMPLER: 'parentbased_traceidratio',
      OTEL_TRACES_SAMPLER_ARG: 0.5,
    } as const;
    await traced(settings, async () => {
      for (let i = 0; i < 400; i++) await inTrace({ name: 'check' }, () => step('ask'));
    });
    const traces = Map.groupBy(sent, ({ traceId }) => traceId);
    expect([...traces.values()].every((spans) => spans.length === 2)).toBe(true);
    // 400 trials at one half: outside of these bounds less than once in a million runs.
    expect(traces.size).toBeGreaterThan(150);
    expect(traces.size).toBeLessThan(250);
  });

  it.each([
    ['list_cases', 'GET /v1/users/{user_id}/cases'],
    ['page /console/cases', 'GET /console/cases'],
  ])('has a span for an HTTP request to %s, by its route', async (operation, name) => {
    const app = createApp({ log, contextOf: () => newContext(), isEdge: true }, (routes) => {
      routes.get('/*path', (_req, res) => {
        res.locals.operation = operation;
        res.json({});
      });
    });
    await traced({}, async () => {
      const server = await listen(createHttpServer(app), '127.0.0.1', 0);
      await fetch(`http://127.0.0.1:${server.port}/secret-token`);
      await server.stop(1_000);
    });
    expect(sent.map((span) => span.name)).toEqual([name]);
    expect(JSON.stringify(sent)).not.toContain('secret-token');
  });

  it('names the code of an error, never its message', async () => {
    const failing = inTraceThatFails(new ApiError('user_not_found', { message: 'ana@example.com' }));
    await expect(traced({}, () => failing())).rejects.toThrow('ana@example.com');
    expect(sent).toHaveLength(1);
    expect(JSON.stringify(sent)).toContain('"user_not_found"');
    expect(JSON.stringify(sent)).not.toContain('ana@');
  });

  it('that the collector does not take does not keep a service from its stop', async () => {
    const settings = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:1' };
    const traceparent = await traced(settings, () => inTrace({ name: 'check' }, () => step('ask')));
    expect(traceparent).toMatch(/-01$/);
  });

  it('does not exist without an endpoint: ids for log lines, and nothing is sent', async () => {
    const tracing = await startTracing('cases', {}, log);
    const traceparent = await inTrace({ name: 'check' }, () => step('ask'));
    await tracing.stop();
    expect(traceparent).toMatch(/-00$/);
    expect(sent).toEqual([]);
  });
});

function inTraceThatFails(error: Error) {
  return () => inTrace({ name: 'check' }, () => Promise.reject(error));
}
