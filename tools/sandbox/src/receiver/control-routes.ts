import type { Express, Request } from 'express';
import { readJson } from '../http/create-app.ts';
import { parseBody } from '../http/read-request.ts';
import { configureHook, type Hook, hookBody } from './hook.ts';

/** Address of the listener with TLS; its certificate is for `name`. */
export type TlsAddress = { url: string; name: string; ca: string };

/** Control operations of the webhook receiver (README.md). */
export function mountControl(app: Express, hookOf: (req: Request) => Hook, tls: TlsAddress): void {
  app.get('/sandbox/hooks/:name', (req, res) => {
    res.json(hookOf(req).calls);
  });
  app.put('/sandbox/hooks/:name', readJson, (req, res) => {
    const change = parseBody(hookBody, req.body);
    const hook = hookOf(req);
    configureHook(hook, change);
    res.json({
      mode: hook.mode,
      status: hook.status,
      delay_ms: hook.delayMs,
      headers: hook.headers,
      secret_set: hook.secret !== null,
    });
  });
  app.delete('/sandbox/hooks/:name', (req, res) => {
    hookOf(req).calls = [];
    res.status(204).end();
  });
  app.get('/sandbox/tls', (_req, res) => {
    res.json(tls);
  });
}
