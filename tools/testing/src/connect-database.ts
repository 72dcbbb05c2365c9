import { createLogger, retryUntilAvailable } from '@casewatch/platform';
import { type Connection, connectMongo } from '@casewatch/platform/database';

const log = createLogger('cases', 'silent');

/** A request may not wait so long for a connection of the pool. A test may: its five neighbours use the same pool. */
const connectionWaitMs = 30_000;

/** A connection with the options of a service. Like a service it tries again: on a busy machine the first time-out is too short. */
export function connectDatabase(url: string): Promise<Connection> {
  return retryUntilAvailable(
    () => connectMongo(url, {}, { connectionWaitMs }),
    log,
    () => true,
  );
}
