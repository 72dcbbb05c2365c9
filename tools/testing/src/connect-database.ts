import { createLogger, retryUntilAvailable } from '@casewatch/platform';
import { type Connection, connectMongo } from '@casewatch/platform/database';
import { shared } from './shared.ts';

const log = createLogger('cases', 'silent');

/** A request may not wait so long for a connection of the pool. A test may: its five neighbours use the same pool. */
const connectionWaitMs = 30_000;

/**
 * A connection with the options of a service. Those to the shared server are one client, which their `close` leaves open for the
 * other tests of the suite: a client for each costs 14 ms of CPU. With `{ own: true }` it is a client of its own.
 */
export async function connectDatabase(url: string, { own = false } = {}): Promise<Connection> {
  const server = process.env.TEST_MONGODB_URL;
  if (own || server === undefined || !url.startsWith(`mongodb://${new URL(server).host}/`))
    return await connect(url);
  const all = await sharedConnection();
  const db = all.useDb(new URL(url).pathname.slice(1));
  db.plugins.push(...all.plugins);
  return Object.assign(db, { close: async () => {} });
}

/** To the shared server, for all tests of a suite. */
export const sharedConnection = shared(async () => {
  const value = await connect(process.env.TEST_MONGODB_URL ?? '');
  return { value, stop: () => value.close() };
});

/** Like a service it tries again: on a busy machine the first time-out is too short. */
function connect(url: string): Promise<Connection> {
  return retryUntilAvailable(
    () => connectMongo(url, {}, { connectionWaitMs }),
    log,
    () => true,
  );
}
