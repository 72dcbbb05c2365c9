/** FORWARD=4010=sandbox:4010,… : gives other containers' ports on this one's loopback, until asked to stop. */
import { complain } from '../http/complain.ts';
import { forwardOf, startForward } from './forward.ts';

try {
  const forwards = (process.env.FORWARD ?? '').split(',').map(forwardOf);
  const servers = await Promise.all(forwards.map(startForward));
  const stop = () => {
    for (const server of servers) server.close();
    // What is under way is not waited for: connections may be kept alive for minutes.
    setTimeout(() => process.exit(), 100);
  };
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
} catch (err) {
  complain(err);
  process.exitCode = 1;
}
