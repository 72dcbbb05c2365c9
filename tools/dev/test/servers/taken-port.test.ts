import { join } from 'node:path';
import { freePort, tempFolder } from '@casewatch/testing';
import { expect, it } from '@jest/globals';
import { resolveBinary, startMongod, startNatsServer } from '../../src/servers/index.ts';

const servers = [
  { name: 'mongod', start: startMongod },
  { name: 'nats-server', start: startNatsServer },
] as const;

it.each(servers)('a $name says that another one has taken its port', async ({ name, start }) => {
  const [{ path: binary }, folder, port] = await Promise.all([resolveBinary(name), tempFolder(), freePort()]);
  const startIn = (dir: string) =>
    start({ binary, port, dataDir: join(folder.path, dir), logFile: join(folder.path, `${dir}.log`) });
  const first = await startIn('first');
  try {
    await expect(startIn('second')).rejects.toThrow(/address already in use/);
  } finally {
    await first.stop(0);
    await folder.remove();
  }
});
