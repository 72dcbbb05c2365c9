import express from 'express';
import { createApp } from '../http/create-app.ts';
import { type Listener, listenHttp, type Place } from '../http/listen.ts';
import { parseBody, pathText, queryText } from '../http/read-request.ts';
import { sendLogs } from './logs-page.ts';
import { exportBody, spansOf } from './otlp.ts';
import { sendTraceList } from './trace-list-page.ts';
import { sendTrace } from './trace-page.ts';
import { createTraceStore } from './trace-store.ts';

/** A batch of spans of one service. */
const readSpans = express.json({ limit: '16mb', type: () => true });

/** Starts the collector of traces: it takes OTLP over HTTP and shows traces and logs. @throws Error if the port is taken */
export async function startTraces(place: Place, logsDir: string | undefined): Promise<Listener> {
  const traces = createTraceStore();
  const app = createApp((routes) => {
    routes.post('/v1/traces', readSpans, (req, res) => {
      traces.add(spansOf(parseBody(exportBody, req.body)));
      res.json({ partialSuccess: {} });
    });
    routes.get('/sandbox/spans', (req, res) => {
      const traceId = queryText(req, 'trace_id');
      res.json(traceId === undefined ? traces.all().flat() : traces.of(traceId));
    });
    routes.delete('/sandbox/spans', (_req, res) => {
      traces.clear();
      res.status(204).end();
    });
    routes.get('/', (req, res) => sendTraceList(res, traces.all(), queryText(req, 'q')));
    routes.get('/traces/:id', (req, res) => sendTrace(res, traces.of(pathText(req, 'id'))));
    routes.get('/logs', (req, res) => sendLogs(res, logsDir, queryText(req, 'q')));
  });
  return await listenHttp(app, place);
}
