/** FORWARD=4010=sandbox:4010,… : forwards ports of this container's loopback to other containers. */
import { logError } from '../http/log-error.ts';
import { forwardOf, startForward } from './forward.ts';

try {
  const forwards = (process.env.FORWARD ?? '').split(',').map(forwardOf);
  const servers = await Promise.all(forwards.map(startForward));
  const stop = () => {
    for (const server of servers) server.close();
    // Open connections are not waited for: they may be kept alive for minutes.
    setTimeout(() => process.exit(), 100);
  };
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
} catch (err) {
  logError(err);
  process.exitCode = 1;
}
