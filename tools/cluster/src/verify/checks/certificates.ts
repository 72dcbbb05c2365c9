import { startLoad } from '../../load/load.ts';
import { readCertificates, show, trust } from '../certificates/live-certificates.ts';
import { type Certificates, makeCertificates } from '../certificates/make-certificates.ts';
import type { Check } from '../check.ts';
import { everydayLoad } from '../everyday-load.ts';
import { roll } from '../rotations/roll.ts';

const rate = 50;
const services = ['identity', 'cases', 'webhooks', 'notifier'];

/** The authority and all certificates are replaced while partners work, and put back in the same way. */
export const certificates: Check = {
  name: 'certificates',
  promise: `authority and certificates of the services replaced, and put back, under ${rate} requests/s: 0 failed requests`,
  async run({ reached, say }) {
    const system = await reached();
    const load = startLoad({ origin: system.gatewayAtNode, rate, ...(await everydayLoad(system)) });
    const tell = (line: string) => say(`${line}; ${load.sent()} requests, ${load.failures.length} failed`);
    try {
      const before = await readCertificates(services);
      const fresh = await makeCertificates(services);
      await replace(before, fresh, tell);
      await replace(fresh, before, tell);
      const { sent, failures, perSecond } = await load.stop();
      for (const { at, kind, what } of failures.slice(0, 20)) say(`  ${at} ${kind}: ${what}`);
      const requests = `${sent} requests at ${perSecond.toFixed(0)}/s, ${failures.length} failed`;
      return {
        ok: failures.length === 0,
        measured: `two authorities, ${services.length} services, ${requests}`,
      };
    } finally {
      await load.stop();
    }
  },
};

/** As docs/operations.md says: the gateway trusts both, the services show the new, the gateway trusts the new alone. */
async function replace(from: Certificates, to: Certificates, tell: (line: string) => void): Promise<void> {
  await trust(from.authority, to.authority);
  await roll(['gateway']);
  tell('the gateway trusts both authorities');
  await Promise.all(services.map((service) => show(service, to.services[service] ?? {})));
  tell('the services show new certificates, without a restart');
  await trust(to.authority);
  await roll(['gateway']);
  tell('the gateway trusts the new authority alone');
}
