/** Makes sure that both servers are on this machine, so that no test waits for a download. */
import { exitWith } from './problem.ts';
import { resolveBinary } from './servers/index.ts';

const onProgress = (line: string): void => console.error(line);
try {
  await Promise.all([resolveBinary('mongod', { onProgress }), resolveBinary('nats-server', { onProgress })]);
  process.exit(0);
} catch (err) {
  exitWith(err);
}
