import { containerMongo, containerNats } from './containers.ts';
import { processMongo, processNats } from './processes.ts';
import type { TestServer } from './test-server.ts';

interface Backend {
  mongo(cacheGiB?: number): Promise<TestServer>;
  nats(authorization: string): Promise<TestServer>;
}

/** TEST_BACKEND=containers starts servers in Docker, by testcontainers; else they are processes. */
export function backend(): Backend {
  return process.env.TEST_BACKEND === 'containers'
    ? { mongo: containerMongo, nats: containerNats }
    : { mongo: processMongo, nats: processNats };
}
