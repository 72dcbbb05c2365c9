import express, { type Express, type Request } from 'express';
import { createApp } from '../http/create-app.ts';
import { type Listener, listenHttp, type Place } from '../http/listen.ts';
import { pathText } from '../http/read-request.ts';
import { makeAuthority } from '../tls/certificates.ts';
import { answerCall } from './answer-call.ts';
import { mountControl } from './control-routes.ts';
import { type Hook, judgeSignature, newHook } from './hook.ts';
import { sendOverview } from './overview-page.ts';

/** `https` has a certificate for another name, issued by the authority `ca` (PEM). */
export type Receiver = { http: Listener; https: Listener & { ca: string } };

const otherName = 'other.example';

/** Starts the webhook receiver. The first use of a name creates its hook. @throws Error if a port is taken */
export async function startReceiver(places: { http: Place; https: Place }): Promise<Receiver> {
  const hooks = new Map<string, Hook>();
  const hookOf = (req: Request): Hook => {
    const name = pathText(req, 'name');
    const hook = hooks.get(name) ?? newHook();
    hooks.set(name, hook);
    return hook;
  };
  const authority = makeAuthority('Casewatch sandbox');
  const certificate = authority.issue(otherName, { names: [otherName] });
  const https = await listenHttp(
    createApp((routes) => mountHooks(routes, hookOf)),
    places.https,
    certificate,
  );
  const tls = { url: https.url, name: otherName, ca: authority.ca };
  const app = createApp((routes) => {
    mountHooks(routes, hookOf);
    mountControl(routes, hookOf, tls);
    routes.get('/', (_req, res) => sendOverview(res, hooks, tls));
  });
  try {
    return { http: await listenHttp(app, places.http), https: { ...https, ca: authority.ca } };
  } catch (err) {
    await https.close();
    throw err;
  }
}

/** `POST /hooks/{name}`: the call is kept before the answer; at most 1 MiB, never decompressed. */
function mountHooks(app: Express, hookOf: (req: Request) => Hook): void {
  const readRaw = express.raw({ type: () => true, limit: '1mb', inflate: false });
  app.post('/hooks/:name', readRaw, async (req, res) => {
    const hook = hookOf(req);
    const body = Buffer.isBuffer(req.body) ? req.body.toString('utf8') : '';
    const call = { headers: plainHeaders(req), body };
    const signature_ok = judgeSignature(hook.secret, call);
    hook.calls.push({ ...call, received_at: new Date().toISOString(), signature_ok });
    await answerCall(res, hook);
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
