import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import type { Principal } from '@casewatch/contracts';
import { type PrincipalSigner, principalHeader } from '@casewatch/platform';

/** Stands where the gateway stands: passes calls on, as anonymous, with path and query untouched; so with answers. */
export type FrontDoor = {
  url: string;
  leadTo(port: number): void;
  /** A GET by a partner with the scope users:read. */
  askAs(partnerId: number, path: string): Promise<{ status: number; body: unknown }>;
  stop(): Promise<void>;
};

export async function openFrontDoor(sign: PrincipalSigner): Promise<FrontDoor> {
  let target = 0;
  const server = createServer((req, res) => {
    const path = (req.url ?? '').split('?')[0] ?? '';
    const principal = sign({ principal: { kind: 'anonymous' }, address: '203.0.113.7' }, 'notifier', {
      method: req.method ?? 'GET',
      path,
    });
    void (async () => {
      const answer = await fetch(`http://127.0.0.1:${target}${req.url}`, {
        method: req.method ?? 'GET',
        headers: {
          [principalHeader]: principal,
          ...passed(req.headers),
        },
        ...(req.method === 'POST' && { body: new Uint8Array(await buffer(req)) }),
      });
      res.writeHead(answer.status, Object.fromEntries(answer.headers)).end(await answer.text());
    })().catch(() => res.writeHead(503).end());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    leadTo(port) {
      target = port;
    },
    async askAs(partner_id, path) {
      const principal: Principal = { kind: 'partner', partner_id, key_id: '1', scopes: ['users:read'] };
      const request = { method: 'GET', path: path.split('?')[0] ?? '' };
      const token = sign({ principal, address: '203.0.113.7' }, 'notifier', request);
      const answer = await fetch(`http://127.0.0.1:${target}${path}`, {
        headers: { [principalHeader]: token },
      });
      return { status: answer.status, body: await answer.json() };
    },
    async stop() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      server.closeAllConnections();
      await closed;
    },
  };
}

/** The headers of a client that the gateway passes on, as far as they matter here. */
function passed(headers: IncomingHttpHeaders): Record<string, string> {
  const names = ['accept', 'accept-language', 'content-type'];
  const isSignature = (name: string) => /^(x-twilio|svix|x-amz-sns)-/.test(name);
  names.push(...Object.keys(headers).filter(isSignature));
  return Object.fromEntries(
    names.flatMap((name) => (typeof headers[name] === 'string' ? [[name, headers[name]]] : [])),
  );
}
