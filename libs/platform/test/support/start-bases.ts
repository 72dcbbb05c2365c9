import type { ServiceName } from '@casewatch/contracts';
import { type Base, createBase, type Logger } from '@casewatch/platform';
import { emptyDatabase, startMongo, startNats, type TestNats } from '@casewatch/testing';

export type TestBases = {
  nats: TestNats;
  /** Address of the database of a base. One of the service's own tests has more collections. */
  databaseUrl(service: ServiceName): string;
  /** A base of a service, against the test's own servers; stopped with them. */
  base<S extends ServiceName>(
    service: S,
    settings?: { EVENTS_RETRY_SCALE?: number },
    options?: { log?: Logger },
  ): Promise<Base<S>>;
  stop(): Promise<void>;
  /** The same, for `await using`. */
  [Symbol.asyncDispose](): Promise<void>;
};

/** Real servers and the bases of services on them, each with its service's own NATS user. */
export async function startBases(starting = startNats()): Promise<TestBases> {
  const [mongo, nats] = await Promise.all([startMongo(), starting]);
  const databaseUrl = (service: ServiceName) => mongo.url(`base_${service}`);
  const stops: (() => Promise<void>)[] = [];
  async function stop(): Promise<void> {
    await Promise.all(stops.map((stopBase) => stopBase()));
    await Promise.all([mongo.stop(), nats.stop()]);
  }
  return {
    nats,
    databaseUrl,
    async base(service, more, options) {
      const settings = {
        LOG_LEVEL: 'silent',
        HOST: '127.0.0.1',
        METRICS_PORT: 0,
        MONGODB_URL: databaseUrl(service),
        ...nats.user(service),
        ...more,
      };
      const base = await createBase(service, settings, emptyDatabase, options);
      stops.push(() => base.stop());
      return base;
    },
    stop,
    [Symbol.asyncDispose]: stop,
  };
}
