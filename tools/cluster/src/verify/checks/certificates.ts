import { restartInTurn } from '../../kit/rollouts.ts';
import { readCertificates, replaceCertificate, trustAuthorities } from '../certificates/live-certificates.ts';
import { type Certificates, makeCertificates } from '../certificates/make-certificates.ts';
import type { Check } from '../check.ts';
import { everydayRequests, printFailures, startEverydayLoad, summaryOf } from '../everyday-load.ts';
import { lastingRate } from '../settings.ts';

const services = ['identity', 'cases', 'webhooks', 'notifier'];

export const certificates: Check = {
  name: 'certificates',
  promise: 'authority and certificates of the services replaced, and put back, under load: 0 failed requests',
  async run({ settings, reached, say }) {
    const load = startEverydayLoad(await everydayRequests(await reached()), {
      rate: lastingRate(settings),
      say,
    });
    try {
      const before = await readCertificates(services);
      const fresh = await makeCertificates(services);
      await replace(before, fresh, load.tell);
      await replace(fresh, before, load.tell);
      const totals = await load.stop();
      printFailures(totals, say);
      return {
        ok: totals.failures.length === 0,
        measured: `two authorities, ${services.length} services, ${summaryOf(totals)}`,
      };
    } finally {
      await load.stop();
    }
  },
};

/** As docs/operations.md says: the gateway trusts both, the services show the new, the gateway trusts the new alone. */
async function replace(from: Certificates, to: Certificates, tell: (line: string) => void): Promise<void> {
  await trustAuthorities(from.authority, to.authority);
  await restartInTurn(['gateway']);
  tell('the gateway trusts both authorities');
  await Promise.all(services.map((service) => replaceCertificate(service, to.services[service] ?? {})));
  tell('the services show new certificates, without a restart');
  await trustAuthorities(to.authority);
  await restartInTurn(['gateway']);
  tell('the gateway trusts the new authority alone');
}
