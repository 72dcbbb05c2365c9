import express, { type Express, type Request } from 'express';
import { createApp, readJson } from '../http/create-app.ts';
import { type Listener, listenHttp, type Place } from '../http/listen.ts';
import { pause } from '../http/pause.ts';
import { parseBody, pathText } from '../http/read-request.ts';
import { configureHook, type Hook, hookBody, judgeSignature, newHook } from './hook.ts';
import { sendOverview } from './overview-page.ts';

/** Starts the webhook receiver. The first use of a name creates its hook. */
export async function startReceiver(place: Place): Promise<Listener> {
  const hooks = new Map<string, Hook>();
  const hookOf = (req: Request): Hook => {
    const name = pathText(req, 'name');
    const hook = hooks.get(name) ?? newHook();
    hooks.set(name, hook);
    return hook;
  };
  const app = createApp((routes) => {
    mountHooks(routes, hookOf);
    mountControl(routes, hookOf);
    routes.get('/', (_req, res) => sendOverview(res, hooks));
  });
  return listenHttp(app, place);
}

/** `POST /hooks/{name}`: the call is kept before the delayed answer; at most 1 MiB, never decompressed. */
function mountHooks(app: Express, hookOf: (req: Request) => Hook): void {
  const readRaw = express.raw({ type: () => true, limit: '1mb', inflate: false });
  app.post('/hooks/:name', readRaw, async (req, res) => {
    const hook = hookOf(req);
    const body = Buffer.isBuffer(req.body) ? req.body.toString('utf8') : '';
    const call = { headers: plainHeaders(req), body };
    const signature_ok = judgeSignature(hook.secret, call);
    hook.calls.push({ ...call, received_at: new Date().toISOString(), signature_ok });
    const { status, delayMs, headers } = hook;
    await pause(delayMs);
    res.status(status).set(headers).json({ received: true });
  });
}

function mountControl(app: Express, hookOf: (req: Request) => Hook): void {
  app.get('/sandbox/hooks/:name', (req, res) => {
    res.json(hookOf(req).calls);
  });
  app.put('/sandbox/hooks/:name', readJson, (req, res) => {
    const change = parseBody(hookBody, req.body);
    const hook = hookOf(req);
    configureHook(hook, change);
    res.json({
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
}

/** Headers by lower-case name; repeated headers are joined by a comma. */
function plainHeaders(req: Request): Record<string, string> {
  return Object.fromEntries(
    Object.entries(req.headers).map(([name, value]) => [
      name,
      Array.isArray(value) ? value.join(', ') : (value ?? ''),
    ]),
  );
}
