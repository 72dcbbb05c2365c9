import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { dnsResolver } from '../../src/clients/dns.ts';
import { createPublicAddresses, NameError } from '../../src/clients/public-addresses.ts';
import { networksFrom } from '../../src/domain/networks.ts';
import { type DnsServer, startDnsServer } from '../support/dns-server.ts';

let answering: DnsServer;
let silent: DnsServer;

beforeAll(async () => {
  answering = await startDnsServer({
    'partner.example': '93.184.215.14',
    'kubernetes.default.svc.cluster.local': '93.184.215.15',
  });
  silent = await startDnsServer(null);
});
afterAll(async () => {
  await Promise.all([answering.stop(), silent.stop()]);
});

describe('names', () => {
  it('are asked for as they stand, never within the domains of this machine', async () => {
    // What a pod has: search domains, and five dots before a name counts as complete. c-ares reads both when it starts.
    const env = { LOCALDOMAIN: 'default.svc.cluster.local svc.cluster.local', RES_OPTIONS: 'ndots:5' };
    const module = join(import.meta.dirname, '../../src/clients/dns.ts');
    const script = `
      const { dnsResolver } = await import(${JSON.stringify(module)});
      const resolve = dnsResolver([process.argv[1]]);
      console.log(JSON.stringify(await Promise.all(['kubernetes', 'kubernetes.default', 'partner.example'].map(resolve))));
    `;
    const args = ['--input-type=module', '--eval', script, answering.address];
    const { stdout } = await promisify(execFile)(process.execPath, args, { env });
    expect(JSON.parse(stdout)).toEqual([[], [], ['93.184.215.14']]);
    expect(new Set(answering.asked)).toEqual(
      new Set(['kubernetes', 'kubernetes.default', 'partner.example']),
    );
  });

  it('of a resolver that never answers fail within the time for them', async () => {
    const resolve = dnsResolver([silent.address]);
    const addresses = createPublicAddresses({
      resolve,
      networks: networksFrom(),
      allowLoopback: false,
      now: () => new Date(),
    });
    const started = performance.now();
    await expect(addresses.judgeHost('partner.example', 200)).rejects.toThrow(NameError);
    expect(performance.now() - started).toBeLessThan(1_500); // what a caller waits for; the look-up itself takes longer
    expect(silent.asked).toContain('partner.example');
  });

  it('of such a resolver are given up by themselves: nothing waits for ever', async () => {
    await expect(dnsResolver([silent.address])('other.example')).rejects.toMatchObject({ code: 'ETIMEOUT' });
  });
});
