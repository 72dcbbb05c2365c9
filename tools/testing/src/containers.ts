import type { TestServer } from './test-server.ts';

/** As in docker-compose.yml, with the same variables. */
const MONGO_IMAGE = process.env.MONGO_IMAGE || 'mongo:6';
const MONGO_PORT = 27017;
const NATS_IMAGE = process.env.NATS_IMAGE || 'nats:2-alpine';
const NATS_PORT = 4222;
const NATS_CONFIG = '/etc/nats/casewatch.conf';

export async function containerMongo(cacheGiB?: number): Promise<TestServer> {
  const { GenericContainer, Wait } = await import('testcontainers');
  const container = await new GenericContainer(MONGO_IMAGE)
    .withCommand([
      'mongod',
      '--replSet',
      'rs0',
      '--bind_ip_all',
      '--setParameter=transactionLifetimeLimitSeconds=5',
      '--slowOpSampleRate=0',
      ...(cacheGiB === undefined ? [] : [`--wiredTigerCacheSizeGB=${cacheGiB}`]),
    ])
    .withExposedPorts(MONGO_PORT)
    .withWaitStrategy(Wait.forLogMessage(/Waiting for connections/))
    .start();
  const { output, exitCode } = await container.exec(['mongosh', '--quiet', '--eval', INITIATE]);
  if (exitCode !== 0) throw new Error(`the replica set could not be initiated: ${output}`);
  // The set knows its member by an address inside the container, so the driver may not discover members.
  const url = `mongodb://${container.getHost()}:${container.getMappedPort(MONGO_PORT)}/?directConnection=true`;
  return { url, pid: undefined, stop: () => container.stop().then(() => undefined) };
}

const INITIATE = `
  rs.initiate({ _id: 'rs0', members: [{ _id: 0, host: '127.0.0.1:${MONGO_PORT}' }] });
  while (!db.hello().isWritablePrimary) sleep(50);
`;

export async function containerNats(authorization: string): Promise<TestServer> {
  const { GenericContainer, Wait } = await import('testcontainers');
  const content = `listen: "0.0.0.0:${NATS_PORT}"\njetstream { store_dir: "/data", sync_interval: always }\n${authorization}\n`;
  const container = await new GenericContainer(NATS_IMAGE)
    .withCopyContentToContainer([{ content, target: NATS_CONFIG }])
    .withCommand(['--config', NATS_CONFIG])
    .withExposedPorts(NATS_PORT)
    .withWaitStrategy(Wait.forLogMessage(/Server is ready/))
    .start();
  const url = `nats://${container.getHost()}:${container.getMappedPort(NATS_PORT)}`;
  return { url, pid: undefined, stop: () => container.stop().then(() => undefined) };
}
