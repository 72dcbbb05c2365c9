import { join } from 'node:path';
import { freePort, tempFolder } from '@casewatch/testing';
import { expect, it } from '@jest/globals';
import { resolveBinary, startNatsServer } from '../../src/servers/index.ts';

it('says that another nats-server has taken its port', async () => {
  const [{ path: binary }, folder, port] = await Promise.all([
    resolveBinary('nats-server'),
    tempFolder(),
    freePort(),
  ]);
  const start = (name: string) =>
    startNatsServer({
      binary,
      port,
      dataDir: join(folder.path, name),
      logFile: join(folder.path, `${name}.log`),
    });
  const first = await start('first');
  try {
    await expect(start('second')).rejects.toThrow(/address already in use/);
  } finally {
    await first.stop(0);
    await folder.remove();
  }
});
