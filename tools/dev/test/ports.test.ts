import { createServer } from 'node:net';
import { freePort } from '@casewatch/testing';
import { describe, expect, it } from '@jest/globals';
import { assignPorts, checkPorts } from '../src/ports.ts';
import { firstPort, portsOfPart } from '../src/servers/free-port.ts';

describe('the ports', () => {
  it('stand in the agreed order above the base', () => {
    expect(assignPorts(5000)).toMatchObject({
      gateway: 5000,
      mail: 5006,
      uscis: 5008,
      receiver: 5010,
      nats: 5012,
    });
  });

  it('are checked: one that is taken is named, with its purpose and the way out', async () => {
    const server = createServer();
    const port = await freePort();
    await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
    const ports = assignPorts(port - 2);
    await expect(checkPorts(ports, ['cases'], 0)).rejects.toThrow(
      new RegExp(`Port ${port} \\(cases\\) is taken[^]*PORT_BASE=${port + 998} npm start`),
    );
    const patient = checkPorts(ports, ['cases'], 5_000);
    await new Promise((resolve) => server.close(resolve));
    await expect(patient).resolves.toBeUndefined();
  });

  it('of a test are those that no connection has, each another one', async () => {
    const ports = await Promise.all(Array.from({ length: 20 }, () => freePort()));
    expect(new Set(ports).size).toBe(20);
    expect(Math.max(...ports)).toBeLessThan(32_768);
  });

  it('of a test are not those of another worker', async () => {
    const ports = await Promise.all(Array.from({ length: 20 }, () => freePort()));
    const worker = Number(process.env.JEST_WORKER_ID);
    expect(Math.min(...ports)).toBeGreaterThanOrEqual(firstPort(worker));
    expect(Math.max(...ports)).toBeLessThan(firstPort(worker) + portsOfPart);
    const starts = Array.from({ length: 8 }, (_, i) => firstPort(worker + i)).sort((a, b) => a - b);
    const widths = starts.slice(1).map((start, i) => start - (starts[i] ?? 0));
    expect(Math.min(...widths)).toBe(portsOfPart);
    expect(Math.max(...starts) + portsOfPart).toBeLessThan(32_768);
  });
});
