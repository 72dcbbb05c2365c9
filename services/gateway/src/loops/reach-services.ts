import type { ServiceName } from '@casewatch/contracts';
import { pause, type Running, watchFirstConnection } from '@casewatch/platform';
import { createConnector } from '../clients/connector.ts';
import { tryConnection } from '../clients/try-connection.ts';
import type { Context } from '../context.ts';

/** Pause between two attempts, ms. */
const retryMs = 1_000;

/** Says at the start which service is not reached at its address, and why, until each of them accepted a connection once. */
export function reachServices({ config, log }: Context): Running {
  const stopping = new AbortController();
  const connect = createConnector(config.SERVICES_TLS_CA);
  const addresses: [ServiceName, string][] = [
    ['identity', config.IDENTITY_URL],
    ['cases', config.CASES_URL],
    ['webhooks', config.WEBHOOKS_URL],
    ['notifier', config.NOTIFIER_URL],
  ];
  async function reach(name: ServiceName, address: string): Promise<void> {
    const service = watchFirstConnection(name, log);
    let isReached = false;
    while (!isReached && !stopping.signal.aborted) {
      try {
        await tryConnection(connect, new URL(address));
        isReached = true;
      } catch (error) {
        service.failed(error);
        await pause(retryMs, stopping.signal);
      }
    }
    service.end();
  }
  const reached = Promise.all(addresses.map(([name, address]) => reach(name, address)));
  return {
    async stop() {
      stopping.abort();
      await reached;
    },
  };
}
