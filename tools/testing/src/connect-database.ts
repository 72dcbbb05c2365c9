import { createLogger, retryUntilAvailable } from '@casewatch/platform';
import { type Connection, connectMongo } from '@casewatch/platform/database';

const log = createLogger('cases', 'silent');

/** A connection with the options of a service. Like a service it tries again: on a busy machine the first time-out is too short. */
export function connectDatabase(url: string): Promise<Connection> {
  return retryUntilAvailable(
    () => connectMongo(url),
    log,
    () => true,
  );
}
