import { type PrivateJwk, principalHeader, principalSigner } from '@casewatch/platform';

/** Changes an endpoint, and returns its id. */
export type PartnerCall = (
  partner: number,
  method: string,
  path: string,
  body: object,
) => Promise<{ id: number }>;

/** Calls webhooks as a partner. */
export function partnerCaller(port: number, key: PrivateJwk): PartnerCall {
  const sign = principalSigner(key);
  return async (partner_id, method, path, body) => {
    const scopes: ['webhooks'] = ['webhooks'];
    const principal = { kind: 'partner' as const, partner_id, key_id: 'bench', scopes };
    const token = sign({ principal, address: '192.0.2.1' }, 'webhooks', { method, path });
    const response = await fetch(`http://127.0.0.1:${port}${path}`, {
      method,
      headers: { [principalHeader]: token, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    if (!response.ok) throw new Error(`${method} ${path}: ${await response.text()}`);
    return ((await response.json()) as { webhook: { id: number } }).webhook;
  };
}
