import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { type Sandbox, startSandbox } from '../src/index.ts';
import { call } from './support.ts';

const traceId = 'a'.repeat(32);
let sandbox: Sandbox;
let logsDir: string;
beforeAll(async () => {
  logsDir = await mkdtemp(join(tmpdir(), 'casewatch-logs-'));
  sandbox = await startSandbox({ logsDir });
});
afterAll(async () => {
  await sandbox.stop();
  await rm(logsDir, { recursive: true });
});

const span = (spanId: string, parentSpanId: string | undefined, name: string, statusCode = 0) => ({
  traceId,
  spanId,
  parentSpanId,
  name,
  kind: 2,
  startTimeUnixNano: '1795448023197000000',
  endTimeUnixNano: '1795448023237000000',
  attributes: [{ key: 'http.response.status_code', value: { intValue: 200 } }],
  status: { code: statusCode },
  links: [],
});

const sent = (service: string, spans: object[]) => ({
  resourceSpans: [
    {
      resource: { attributes: [{ key: 'service.name', value: { stringValue: service } }] },
      scopeSpans: [{ spans }],
    },
  ],
});

it('takes spans of several services, and returns those of a trace', async () => {
  const url = `${sandbox.traces_url}/v1/traces`;
  expect((await call('POST', url, sent('gateway', [span('1', undefined, 'GET /v1/cases')]))).status).toBe(
    200,
  );
  await call('POST', url, sent('cases', [span('2', '1', 'GET <b>', 2), span('3', 'missing', 'late')]));
  const { json } = await call('GET', `${sandbox.traces_url}/sandbox/spans?trace_id=${traceId}`);
  expect(json).toHaveLength(3);
  expect(json[1]).toMatchObject({
    ...{ trace_id: traceId, span_id: '2', parent_id: '1', service: 'cases', kind: 'server', is_error: true },
    attributes: { 'http.response.status_code': '200' },
    end_ms: 1795448023237,
  });
  expect((await call('POST', url, { resourceSpans: [{}] })).status).toBe(400);
});

it('shows a trace with its spans, marks what failed and what has no parent, and escapes names', async () => {
  const { text: list } = await call('GET', `${sandbox.traces_url}/?q=cases`);
  expect(list).toContain(`/traces/${traceId}`);
  const { text } = await call('GET', `${sandbox.traces_url}/traces/${traceId}`);
  expect(text).toContain('GET &lt;b&gt;');
  expect(text).toContain('failed');
  expect(text).toContain('its parent is missing');
});

it('searches the log lines of a trace', async () => {
  const line = {
    level: 'warn',
    time: '2026-11-23T10:00:00.000Z',
    service: 'cases',
    trace_id: traceId,
    msg: 'no answer',
  };
  await writeFile(
    join(logsDir, 'cases.log'),
    `starting\n${JSON.stringify(line)}\n{"level":"info","msg":"other"}\n`,
  );
  const { text } = await call('GET', `${sandbox.traces_url}/logs?q=${traceId}`);
  expect(text).toContain('no answer');
  expect(text).not.toContain('other');
});
