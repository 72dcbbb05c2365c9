import express, { type Express } from 'express';
import { TOKEN_SECONDS, type Tokens } from './tokens.ts';

/** The keys a client must show at the token endpoint. */
export interface Client {
  id: string;
  secret: string;
}

/** `POST /oauth/accesstoken`: client credentials in a form body; HTTP Basic is refused as the real one does. */
export function mountToken(app: Express, { tokens, client }: { tokens: Tokens; client: Client }): void {
  app.post('/oauth/accesstoken', express.urlencoded({ extended: false }), (req, res) => {
    const form: Record<string, unknown> = req.body ?? {};
    const usesBasic = /^basic /i.test(req.get('authorization') ?? '');
    const required = ['grant_type', 'client_id', 'client_secret'];
    const missing = usesBasic ? 'grant_type' : required.find((name) => typeof form[name] !== 'string');
    if (missing !== undefined) {
      res.status(400).json({ ErrorCode: 'invalid_request', Error: `Required param : ${missing}` });
      return;
    }
    if (form.grant_type !== 'client_credentials') {
      res.status(400).json({ ErrorCode: 'invalid_request', Error: 'Unsupported grant type' });
      return;
    }
    if (form.client_id !== client.id || form.client_secret !== client.secret) {
      res.status(401).json({ ErrorCode: 'invalid_client', Error: 'Client credentials are invalid' });
      return;
    }
    const at = new Date();
    res.json({
      refresh_token_expires_in: '0',
      api_product_list: '[Case Status API - Sandbox]',
      organization_name: 'uscis',
      token_type: 'Bearer',
      issued_at: String(at.getTime()),
      client_id: client.id,
      access_token: tokens.issue(at),
      scope: '',
      expires_in: String(TOKEN_SECONDS),
      refresh_count: '0',
      status: 'approved',
    });
  });
}
