import express, { type Express, type Request } from 'express';
import { pause } from '../http/pause.ts';
import type { Tokens } from './tokens.ts';
import { sendVerbatim, tokenOf } from './verbatim.ts';
import type { World } from './world.ts';

export interface Client {
  id: string;
  secret: string;
}

interface TokenContext {
  tokens: Tokens;
  client: Client;
  world: () => World;
}

/** `POST /oauth/accesstoken`: client credentials in a form body. Like the real API, it refuses HTTP Basic. */
export function mountToken(app: Express, { tokens, client, world }: TokenContext): void {
  app.post('/oauth/accesstoken', express.urlencoded({ extended: false }), async (req, res) => {
    const at = new Date();
    const { tokenRequests, tokenSettings: settings, tokenAnswer: verbatim } = world();
    const row = { time: at.toISOString(), status: 0 };
    tokenRequests.push(row);
    if (verbatim) {
      const token = tokenOf(verbatim);
      if (token !== null) tokens.issue(at, settings.expires_in, token);
      row.status = verbatim.status;
      return sendVerbatim(res, verbatim);
    }
    if (settings.mode === 'hang') return;
    await pause(settings.delay_ms);
    const send = (status: number, body: object | string) => {
      row.status = status;
      res.status(status).type(typeof body === 'string' ? 'html' : 'json');
      res.end(typeof body === 'string' ? body : JSON.stringify(body));
    };
    if (settings.retry_after_s !== undefined) res.set('Retry-After', String(settings.retry_after_s));
    if (settings.mode === 'status') return send(settings.status, { Error: 'The request failed.' });
    if (settings.mode === 'html') return send(200, '<html><body>Scheduled maintenance</body></html>');
    if (settings.mode === 'garbage') return send(200, { access_token: 7, expires_in: 'soon' });
    const refusal = refusalOf(req, client);
    if (refusal) return send(refusal.status, { ErrorCode: refusal.code, Error: refusal.sentence });
    const token = (settings.repeat ? tokens.last() : undefined) ?? tokens.issue(at, settings.expires_in);
    const issued = tokenAnswer(token, client, at);
    send(200, { ...issued, expires_in: String(settings.expires_in) });
  });
}

function refusalOf(req: Request, client: Client): { status: number; code: string; sentence: string } | null {
  const form: Record<string, unknown> = req.body ?? {};
  const usesBasic = /^basic /i.test(req.get('authorization') ?? '');
  const required = ['grant_type', 'client_id', 'client_secret'];
  const missing = usesBasic ? 'grant_type' : required.find((name) => typeof form[name] !== 'string');
  if (missing !== undefined)
    return { status: 400, code: 'invalid_request', sentence: `Required param : ${missing}` };
  if (form.grant_type !== 'client_credentials')
    return { status: 400, code: 'invalid_request', sentence: 'Unsupported grant type' };
  if (form.client_id === client.id && form.client_secret === client.secret) return null;
  return { status: 401, code: 'invalid_client', sentence: 'Client credentials are invalid' };
}

function tokenAnswer(token: string, client: Client, at: Date) {
  return {
    refresh_token_expires_in: '0',
    api_product_list: '[Case Status API - Sandbox]',
    organization_name: 'uscis',
    token_type: 'Bearer',
    issued_at: String(at.getTime()),
    client_id: client.id,
    access_token: token,
    scope: '',
    refresh_count: '0',
    status: 'approved',
  };
}
