import { join } from 'node:path';
import type { Bus } from '@casewatch/platform';
import { connectAs, freePort, startNats, waitFor } from '@casewatch/testing';
import { Pool } from 'undici';
import { end, pathOf, type Running, startProcess } from '../kit/processes.ts';
import { localSettings, newPrincipalKey } from '../kit/service-settings.ts';

type Measured = { name: string; url: string; pid: number };

/** How often identity announces the newest revision, ms. */
const announceMs = 500;
/** Concurrent requests: four of each of eight partners, fewer than the limit of a partner. */
const connections = 32;
const partners = 8;
/** Traces of every tenth request; the service answers the export too. */
const traced = (origin: string) => ({
  OTEL_EXPORTER_OTLP_ENDPOINT: origin,
  OTEL_TRACES_SAMPLER: 'parentbased_traceidratio',
  OTEL_TRACES_SAMPLER_ARG: '0.1',
});

/** A real nats-server, identity's answers, one service, and the processes in front of it: floor, this checkout without and with traces, `against`. */
export async function startWorld(against: string | null) {
  const nats = await startNats();
  const bus = await connectAs(nats, 'identity');
  const stopAnnouncing = answerAsIdentity(bus);
  const startServer = (name: string, env: Record<string, string>) =>
    startProcess(join(import.meta.dirname, name), env, { readyText: '"url"' });
  const urlOf = ({ readyLine }: Running) => (JSON.parse(readyLine) as { url: string }).url;
  const service = await startServer('service-main.ts', {});
  const origin = urlOf(service);
  const floor = await startServer('floor-main.ts', { SERVICE_URL: origin });
  const running = [service, floor];
  const { key } = newPrincipalKey();

  async function startGateway(name: string, checkout: string, more = {}): Promise<Measured> {
    const port = await freePort();
    const env = {
      ...localSettings,
      PORT: String(port),
      ...nats.user('gateway'),
      PRINCIPAL_KEY: JSON.stringify(key),
      PUBLIC_URL: 'http://gateway.bench',
      IDENTITY_URL: origin,
      CASES_URL: origin,
      WEBHOOKS_URL: origin,
      NOTIFIER_URL: origin,
      RATE_LIMIT_PARTNER_PER_MINUTE: '1000000',
      ...more,
    };
    const gateway = await startProcess(join(checkout, 'services/gateway/src/main.ts'), env);
    running.push(gateway);
    const url = `http://127.0.0.1:${port}`;
    await waitFor(async () => (await fetch(`${url}/readyz`)).ok, { what: name });
    return { name, url, pid: gateway.pid };
  }

  return {
    measured: [
      { name: 'floor', url: urlOf(floor), pid: floor.pid },
      await startGateway('this', pathOf('.')),
      await startGateway('traced', pathOf('.'), traced(origin)),
      ...(against === null ? [] : [await startGateway('against', against)]),
    ] satisfies Measured[],
    async stop(): Promise<void> {
      for (const process of running.toReversed()) await end(process);
      stopAnnouncing();
      await bus.stop();
      await nats.stop();
    },
  };
}

export async function sendGets(url: string, requests: number): Promise<void> {
  const pool = new Pool(url, { connections, pipelining: 1 });
  let remaining = requests;
  async function send(_: unknown, index: number): Promise<void> {
    const headers = { 'x-api-key': `cwk_${(index % partners) + 1}`, 'x-api-secret': 'a-secret' };
    while (remaining > 0) {
      remaining -= 1;
      const { statusCode, body } = await pool.request({ method: 'GET', path: '/v1/client/users', headers });
      const text = await body.text();
      if (statusCode !== 200) throw new Error(`${url} answered ${statusCode}: ${text}`);
    }
  }
  await Promise.all(Array.from({ length: connections }, send));
  await pool.close();
}

/** Every key pair belongs to a partner, `cwk_7` to partner 7, and nothing is revoked. @returns how to stop */
function answerAsIdentity(bus: Bus): () => void {
  bus.serve('identity.authenticate', async ({ api_key }) => ({
    principal: {
      kind: 'partner',
      partner_id: Number(api_key.split('_')[1]),
      key_id: api_key,
      scopes: ['users:read'],
    },
    good_until: null,
  }));
  bus.serve('identity.revocations', async () => ({ revision: 0, changes: [] }));
  const announcing = setInterval(() => bus.publish('revocations.announced', { revision: 0 }), announceMs);
  return () => clearInterval(announcing);
}
