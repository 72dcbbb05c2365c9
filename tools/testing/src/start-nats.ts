import { randomBytes } from 'node:crypto';
import { createLogger, keepStreams, type NatsUser, natsAuthorization, natsUsers } from '@casewatch/platform';
import { backend } from './backend.ts';

export interface TestNats {
  url: string;
  /** The three settings of a service, with the user that has its rights. */
  user(service: string): { NATS_URL: string; NATS_USER: string; NATS_PASSWORD: string };
  /** Connection options of an operator, who has every right in the account of JetStream. */
  operator: { user: string; pass: string };
  pid: number | undefined;
  stop(): Promise<void>;
}

/**
 * A nats-server for this test, with JetStream, a user for each service and, unless `declares` is false, all streams.
 * `monitorPort` opens the server's own statistics (`/varz`).
 */
export async function startNats({ declares = true, monitorPort = 0 } = {}): Promise<TestNats> {
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
  return {
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
  };
}
