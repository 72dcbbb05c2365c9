import { randomBytes } from 'node:crypto';
import { createLogger, keepStreams, type NatsUser, natsAuthorization, natsUsers } from '@casewatch/platform';
import { jetstreamManager } from '@nats-io/jetstream';
import { connect } from '@nats-io/transport-node';
import { backend } from './backend.ts';
import { stopAfterSuite } from './shared.ts';

export interface TestNats {
  url: string;
  /** The three settings of a service, with the user that has its rights. */
  user(service: string): { NATS_URL: string; NATS_USER: string; NATS_PASSWORD: string };
  /** Connection options of an operator, who has every right in the account of JetStream. */
  operator: { user: string; pass: string };
  pid: number | undefined;
  stop(): Promise<void>;
  /** Instead of `stop`, after a test whose clients are gone: a later test of this suite takes the server, with empty streams. */
  free(): Promise<void>;
}

/** With all streams, which are empty. */
const freeServers: TestNats[] = [];

/**
 * A nats-server for this test, with JetStream, a user for each service and, unless `declares` is false, all streams.
 * `monitorPort` opens the server's own statistics (`/varz`).
 */
export async function startNats({ declares = true, monitorPort = 0 } = {}): Promise<TestNats> {
  const freed = declares && monitorPort === 0 ? freeServers.pop() : undefined;
  return freed ?? (await startNew({ declares, monitorPort }));
}

async function startNew({ declares, monitorPort }: { declares: boolean; monitorPort: number }) {
  const entries = natsUsers.map((name) => [name, randomBytes(24).toString('hex')]);
  const passwords: Record<NatsUser, string> = Object.fromEntries(entries);
  const monitoring = monitorPort === 0 ? '' : `http: "127.0.0.1:${monitorPort}"`;
  const { url, pid, stop } = await backend().nats(`${natsAuthorization(passwords)}\n${monitoring}`);
  const access = { url, user: 'streams', password: passwords.streams };
  const log = createLogger('streams', 'silent');
  const keeper = declares ? await keepStreams({ access, replicas: 1, log }) : undefined;
  const user = (service: string): ReturnType<TestNats['user']> => {
    const password = Object.entries(passwords).find(([name]) => name === service)?.[1];
    if (password === undefined) throw new Error(`there is no service called ${service}`);
    return { NATS_URL: url, NATS_USER: service, NATS_PASSWORD: password };
  };
  const operator = { user: 'operator', pass: passwords.operator };
  let isStopped = false;
  const nats: TestNats = {
    url,
    user,
    operator,
    pid,
    async stop() {
      if (isStopped) return;
      isStopped = true;
      await keeper?.stop();
      await stop();
    },
    async free() {
      if (isStopped) return;
      await emptyStreams({ servers: url, ...operator });
      if (freeServers.push(nats) === 1) stopAfterSuite(stopFreeServers);
    },
  };
  return nats;
}

async function stopFreeServers(): Promise<void> {
  await Promise.all(freeServers.splice(0).map((nats) => nats.stop()));
}

async function emptyStreams(access: { servers: string; user: string; pass: string }): Promise<void> {
  const connection = await connect(access);
  const { streams } = await jetstreamManager(connection, { checkAPI: false });
  for await (const { config, state } of streams.list())
    if (state.messages > 0) await streams.purge(config.name);
  await connection.close();
}
