import type { ServiceName } from '@casewatch/contracts';
import { type Bus, connectBus, createLogger } from '@casewatch/platform';
import type { TestNats } from './start-nats.ts';

/** A connection with the rights of a service; the caller stops it. */
export async function connectAs(nats: TestNats, service: ServiceName): Promise<Bus> {
  const { NATS_URL: url, NATS_USER: user, NATS_PASSWORD: password } = nats.user(service);
  return await connectBus({ service, url, user, password, log: createLogger(service, 'silent') });
}
