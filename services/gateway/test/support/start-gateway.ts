import { generateKeyPairSync } from 'node:crypto';
import { createServer, type IncomingMessage } from 'node:http';
import type { JwksReply, Revocation } from '@casewatch/contracts';
import { listen, principalVerifier, start } from '@casewatch/platform';
import { connectAs, startNats, type TestNats, waitFor } from '@casewatch/testing';
import jwt from 'jsonwebtoken';
import { gateway as service } from '../../src/service.ts';
import { answers, newIdentity } from './identity-answers.ts';

export type Seen = { method: string; url: string; headers: IncomingMessage['headers']; body: string };

const issuer = 'http://gateway.test';
const audience = 'casewatch';

type Settings = Record<string, string>;

/**
 * A gateway before one real HTTP service that notes what it gets, and identity's answers on a real bus. Settings may
 * depend on that service's address.
 */
export async function startTestGateway(settings: Settings | ((behind: string) => Settings) = {}) {
  const nats = await startNats();
  const seen: Seen[] = [];
  const answer = {
    status: 200,
    body: '{"ok":true}',
    delayMs: 0,
    /** Requests that come while this is set wait for it. */
    held: undefined as Promise<void> | undefined,
  };
  const behind = await listen(
    createServer(async (req, res) => {
      let body = '';
      try {
        for await (const chunk of req) body += chunk;
      } catch {
        // The gateway gave it up half-way: there is nobody to answer.
        return;
      }
      seen.push({ method: req.method ?? '', url: req.url ?? '', headers: req.headers, body });
      await answer.held;
      setTimeout(() => {
        res.writeHead(answer.status, {
          'content-type': 'application/json',
          'x-request-id': String(req.headers['x-request-id']),
        });
        res.end(answer.body);
      }, answer.delayMs);
    }),
    '127.0.0.1',
    0,
  );
  const identity = await connectIdentity(nats);
  const principal = keyPair('gateway');
  const origin = `http://127.0.0.1:${behind.port}`;
  const env = {
    NODE_ENV: 'test',
    LOG_LEVEL: 'silent',
    HOST: '127.0.0.1',
    PORT: '0',
    ...nats.user('gateway'),
    PRINCIPAL_KEY: JSON.stringify(principal.privateJwk),
    PUBLIC_URL: issuer,
    IDENTITY_URL: origin,
    CASES_URL: origin,
    WEBHOOKS_URL: origin,
    NOTIFIER_URL: 'http://127.0.0.1:9',
    CORS_ORIGINS: 'https://app.example',
    ...(typeof settings === 'function' ? settings(origin) : settings),
  };
  const gateway = await start(service, env);
  await ready(gateway.port);
  const replicas = [gateway];
  const verify = principalVerifier({ keys: [principal.publicJwk] }, 'identity');
  return {
    url: `http://127.0.0.1:${gateway.port}`,
    port: gateway.port,
    nats,
    env,
    /** One more gateway on the same bus; its address. */
    async addReplica({ isReady = true } = {}) {
      const replica = await start(service, env);
      if (isReady) await ready(replica.port);
      replicas.push(replica);
      return `http://127.0.0.1:${replica.port}`;
    },
    seen,
    answer,
    identity,
    /** Who the gateway says is calling, as the service behind it verifies it. */
    callerOf: (request: Seen) =>
      verify(String(request.headers['x-casewatch-principal']), {
        method: request.method,
        path: request.url.split('?')[0] ?? '',
      }),
    async stop() {
      await Promise.all(replicas.map((replica) => replica.stop()));
      await behind.stop(100);
      identity.stopAnnouncing();
      await identity.bus.stop();
      await nats.stop();
    },
  };
}

function keyPair(kid: string) {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' });
  const { d = '' } = privateKey.export({ format: 'jwk' });
  const publicJwk = { kty: 'EC' as const, crv: 'P-256' as const, x, y, kid };
  return { publicJwk, privateJwk: { ...publicJwk, d }, publicKey, privateKey };
}

/** Identity's side of the bus: partner 1 has the pair key/secret; user 7 of partner 1 and user 8 of nobody have sessions. */
async function connectIdentity(nats: TestNats) {
  const bus = await connectAs(nats, 'identity');
  const signing = keyPair('k1');
  const known = newIdentity(jwksOf(signing.publicJwk));
  const stopAnnouncing = answers(bus, known);
  await bus.connection.flush();
  const token = (claims: object = {}, options: jwt.SignOptions = {}, key = signing.privateKey) =>
    jwt.sign({ sid: 'session-7', sub: '7', iss: issuer, aud: audience, ...claims }, key, {
      algorithm: 'ES256',
      header: { alg: 'ES256', typ: 'at+jwt', kid: 'k1' },
      expiresIn: 900,
      ...options,
    });
  return {
    ...{ bus, token, stopAnnouncing, known, signing },
    /** Every question asked so far. */
    asked: known.asked,
    askedFor: (name: string) => known.asked.filter((question) => question.name === name).length,
    strangerKey: keyPair('k1').privateKey,
    /** Another key that is published from now on, beside the first. */
    publishKey(kid: string) {
      const next = keyPair(kid);
      known.jwks = jwksOf(signing.publicJwk, next.publicJwk);
      return next.privateKey;
    },
    /** Refuses from now on, and says that something changed. */
    revoke(kind: Revocation['kind'], id: string) {
      known.refused.add(`${kind}/${id}`);
      known.changes.push({ kind, id });
    },
  };
}

type PublicKey = ReturnType<typeof keyPair>['publicJwk'];

function jwksOf(...keys: PublicKey[]): JwksReply {
  return { issuer, audience, keys: keys.map((key) => ({ ...key, use: 'sig', alg: 'ES256' })) };
}

async function ready(port: number): Promise<void> {
  await waitFor(async () => (await fetch(`http://127.0.0.1:${port}/readyz`)).ok, { what: 'the gateway' });
}
