import type { Bus } from '@casewatch/platform';
import { connectAs } from '@casewatch/testing';
import { shared } from '@casewatch/testing/shared';
import { afterAll, beforeAll } from '@jest/globals';
import { startTestNotifier, type TestNotifier } from './notifier.ts';
import { makePartner, type TestPartner } from './people.ts';
import { startTestIdentity, type TestIdentity } from './start-identity.ts';

/** `gateway`: a connection with the gateway's rights. */
type Running = { identity: TestIdentity; notifier: TestNotifier; gateway: Bus };
type Started = Running & { partner: TestPartner; other: TestPartner };

/** The service, a notifier that takes every mail, and cases that know nothing of any member. */
async function startRunning(env: Record<string, string> = {}) {
  const identity = await startTestIdentity(env);
  const notifier = await startTestNotifier(identity.nats);
  const [cases, gateway] = await Promise.all([
    connectAs(identity.nats, 'cases'),
    connectAs(identity.nats, 'gateway'),
  ]);
  cases.serve('cases.of_staff', async () => ({ acknowledgements: [], reviews: [], case_ids: [] }));
  await cases.connection.flush();
  const stop = async () => {
    await Promise.all([cases.stop(), gateway.stop()]);
    await notifier.stop();
    await identity.stop();
  };
  return { value: { identity, notifier, gateway }, stop };
}

/** One for all tests of a file. */
export const sharedIdentity = shared<Running>(() => startRunning());

/**
 * Before a file's tests: a service and two new partners. What a file needs of them it takes from `ready`. The service is that
 * of `sharedIdentity`; with `env` it is another one, with these settings.
 */
export function useIdentity(ready: (started: Started) => void, env?: Record<string, string>): void {
  let stop = async () => {};
  beforeAll(async () => {
    const own = env && (await startRunning(env));
    stop = own?.stop ?? stop;
    const { identity, notifier, gateway } = own?.value ?? (await sharedIdentity());
    const partner = await makePartner(identity, 'Law Firm');
    const other = await makePartner(identity, 'Relocation');
    ready({ identity, notifier, gateway, partner, other });
  });
  afterAll(() => stop());
}
