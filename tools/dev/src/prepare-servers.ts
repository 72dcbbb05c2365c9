/** Fetches both servers before the tests start. */
import { exitWith } from './cli-error.ts';
import { resolveBinary } from './servers/index.ts';

const onProgress = (line: string): void => console.error(line);
try {
  await Promise.all([resolveBinary('mongod', { onProgress }), resolveBinary('nats-server', { onProgress })]);
  process.exit(0);
} catch (err) {
  exitWith(err);
}
