import { createInterface } from 'node:readline';
import { connectNats, type NatsAccess } from '@casewatch/platform';
import { entriesOf, natsUsersSecret } from '../kit/entries.ts';
import { currentNamespace, demoNamespace, startKubectl } from '../kit/kubectl.ts';

type Connection = Awaited<ReturnType<typeof connectNats>>;

const user = 'operator';

/**
 * Connects to NATS as its operator: at NATS_URL with NATS_PASSWORD if set, else through a port forwarded to components/nats. The
 * demonstration has its own NATS: there NATS_URL, which may be production's, does not count.
 */
export async function withOperator<T>(work: (connection: Connection) => Promise<T>): Promise<T> {
  const { NATS_URL, NATS_PASSWORD } = process.env;
  if (NATS_URL && currentNamespace() !== demoNamespace)
    return await connected({ url: NATS_URL, user, password: NATS_PASSWORD ?? '' }, work);
  const password = await passwordInCluster();
  const { child, ended } = startKubectl(
    ['port-forward', 'service/nats', ':4222'],
    ['ignore', 'pipe', 'inherit'],
  );
  try {
    if (!child.stdout) throw new Error('kubectl has no output');
    for await (const line of createInterface(child.stdout)) {
      const port = /^Forwarding from 127\.0\.0\.1:(\d+)/.exec(line)?.[1];
      if (port) return await connected({ url: `nats://127.0.0.1:${port}`, user, password }, work);
    }
    throw new Error(`kubectl port-forward ended with ${await ended}`);
  } finally {
    child.kill();
    await ended;
  }
}

async function connected<T>(access: NatsAccess, work: (connection: Connection) => Promise<T>): Promise<T> {
  const connection = await connectNats(user, access, { waits: false });
  try {
    return await work(connection);
  } finally {
    await connection.close();
  }
}

async function passwordInCluster(): Promise<string> {
  const password = (await entriesOf(await natsUsersSecret()).read())[user];
  if (!password) throw new Error('The users of NATS have no operator: set NATS_URL and NATS_PASSWORD.');
  return password.trim();
}
