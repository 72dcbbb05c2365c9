import { generateKeyPairSync } from 'node:crypto';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { connectAs, freePort, startNats, waitFor } from '@casewatch/testing';
import { end, type Running, startProcess } from '../processes.ts';
import { answerAsIdentity } from './identity.ts';

/** A process that is measured. */
export type Measured = { name: string; url: string; pid: number };

const here = fileURLToPath(new URL('.', import.meta.url));
const thisCheckout = fileURLToPath(new URL('../../../../', import.meta.url));

/** A real nats-server, identity's answers on it, a service, and before it gateways of checkouts and the floor. */
export async function startWorld(against: string | null) {
  const nats = await startNats();
  const bus = await connectAs(nats, 'identity');
  const stopAnnouncing = answerAsIdentity(bus);
  const hasUrl = (line: string) => line.includes('"url"');
  const urlOf = ({ first }: Running) => (JSON.parse(first) as { url: string }).url;
  const service = await startProcess(join(here, 'service-main.ts'), {}, hasUrl);
  const origin = urlOf(service);
  const floor = await startProcess(join(here, 'floor-main.ts'), { SERVICE_URL: origin }, hasUrl);
  const running = [service, floor];
  const {
    x = '',
    y = '',
    d = '',
  } = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({
    format: 'jwk',
  });

  async function startGateway(name: string, checkout: string): Promise<Measured> {
    const port = await freePort();
    const env = {
      NODE_ENV: 'test',
      LOG_LEVEL: 'info',
      HOST: '127.0.0.1',
      PORT: String(port),
      ...nats.user('gateway'),
      PRINCIPAL_KEY: JSON.stringify({ kty: 'EC', crv: 'P-256', x, y, d, kid: 'bench' }),
      PUBLIC_URL: 'http://gateway.bench',
      IDENTITY_URL: origin,
      CASES_URL: origin,
      WEBHOOKS_URL: origin,
      NOTIFIER_URL: origin,
      RATE_LIMIT_PARTNER_PER_MINUTE: '1000000',
    };
    const main = join(checkout, 'services/gateway/src/main.ts');
    const gateway = await startProcess(main, env, (line) => line.includes('"msg":"ready"'));
    running.push(gateway);
    const url = `http://127.0.0.1:${port}`;
    await waitFor(async () => (await fetch(`${url}/readyz`)).ok, { what: name });
    return { name, url, pid: gateway.pid };
  }

  return {
    measured: [
      { name: 'floor', url: urlOf(floor), pid: floor.pid },
      await startGateway('this', thisCheckout),
      ...(against === null ? [] : [await startGateway('against', against)]),
    ] satisfies Measured[],
    async stop(): Promise<void> {
      await Promise.all(running.map((process) => end(process)));
      stopAnnouncing();
      await bus.stop();
      await nats.stop();
    },
  };
}
