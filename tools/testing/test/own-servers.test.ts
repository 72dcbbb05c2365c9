import { isAlive } from '@casewatch/dev/servers';
import { describe, expect, it } from '@jest/globals';
import { startMongo, startNats } from '../src/index.ts';

const inContainers = process.env.TEST_BACKEND === 'containers';

describe('servers of one’s own', () => {
  (inContainers ? it.skip : it)('are processes that are gone after stop, frozen ones too', async () => {
    const servers = await Promise.all([startMongo({ own: true }), startNats()]);
    const pids = servers.map(({ pid }) => pid ?? 0);
    expect(pids.every(isAlive)).toBe(true);
    for (const pid of pids) process.kill(pid, 'SIGSTOP');
    await Promise.all(servers.map((server) => server.stop()));
    expect(pids.some(isAlive)).toBe(false);
  });
});
