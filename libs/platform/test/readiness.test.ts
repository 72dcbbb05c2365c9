import { createServer } from 'node:net';
import { join } from 'node:path';
import { type Base, createBase } from '@casewatch/platform';
import {
  emptyDatabase,
  freePort,
  resolveBinary,
  startMongod,
  startNats,
  type TempFolder,
  type TestNats,
  tempFolder,
  waitFor,
} from '@casewatch/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

describe('readiness of a service', () => {
  let nats: TestNats;
  let folder: TempFolder;
  let mongoPort: number;
  let stopMongo: (() => Promise<void>) | undefined;
  let notifier: Base<'notifier'> | undefined;
  beforeAll(async () => {
    [nats, folder, mongoPort] = await Promise.all([startNats(), tempFolder(), freePort()]);
  });
  afterAll(async () => {
    await notifier?.stop();
    await stopMongo?.();
    await nats.stop();
    await folder.remove();
  });

  const dependencies = async () => {
    const text = await (await fetch(`http://127.0.0.1:${notifier?.metricsPort}/metrics`)).text();
    const shownFor = (name: string) =>
      new RegExp(`^dependency_up\\{dependency="${name}"\\} (\\S+)$`, 'm').exec(text)?.[1];
    return { mongodb: shownFor('mongodb'), nats: shownFor('nats') };
  };

  it('waits for its database at the start', async () => {
    let calls = 0;
    const nobody = createServer((socket) => {
      calls += 1;
      socket.destroy();
    });
    await new Promise<void>((resolve) => nobody.listen(mongoPort, '127.0.0.1', resolve));
    const starting = createBase(
      'notifier',
      {
        LOG_LEVEL: 'silent',
        HOST: '127.0.0.1',
        METRICS_PORT: 0,
        MONGODB_URL: `mongodb://127.0.0.1:${mongoPort}/notifier?replicaSet=rs0`,
        ...nats.user('notifier'),
      },
      emptyDatabase,
    ).then((base) => {
      notifier = base;
    });
    await waitFor(() => calls > 1, { what: 'a second try' });
    expect(notifier).toBeUndefined();
    await new Promise((resolve) => nobody.close(resolve));

    const { path: binary } = await resolveBinary('mongod');
    const files = { dataDir: join(folder.path, 'data'), logFile: join(folder.path, 'mongod.log') };
    stopMongo = (await startMongod({ binary, port: mongoPort, cacheGiB: 0.25, ...files })).stop;
    await starting;
    await waitFor(() => notifier?.ready(), { what: 'readiness' });
    expect(await dependencies()).toEqual({ mongodb: '1', nats: '1' });
  });

  it('outlasts its database and the bus, so that its own 503 reaches the caller; its metrics show what is unavailable', async () => {
    await Promise.all([stopMongo?.(), nats.stop()]);
    const isAway = async () => JSON.stringify(await dependencies()) === '{"mongodb":"0","nats":"0"}';
    await waitFor(isAway, { timeoutMs: 30_000, what: 'both shown as away' });
    expect(await notifier?.ready()).toBe(true);
  });
});
