import { shared } from '@casewatch/testing/shared';
import { afterAll, beforeAll } from '@jest/globals';
import { startTestNotifier, type TestNotifier } from './notifier.ts';
import { makePartner, type TestPartner } from './people.ts';
import { startTestIdentity, type TestIdentity } from './start-identity.ts';

type Running = { identity: TestIdentity; notifier: TestNotifier };
type Started = Running & { partner: TestPartner; other: TestPartner };

/** The service, and a notifier that takes every mail. */
async function startRunning(env: Record<string, string> = {}) {
  const identity = await startTestIdentity(env);
  const notifier = await startTestNotifier(identity.nats);
  const stop = async () => {
    await notifier.stop();
    await identity.stop();
  };
  return { value: { identity, notifier }, stop };
}

const running = shared<Running>(() => startRunning());
let files = 0;

/** The service of the suite. Each caller gets a network address of its own: limits per network are not shared. */
export async function sharedIdentity(): Promise<Running> {
  const { identity, notifier } = await running();
  files += 1;
  const address = `198.18.${files}.7`;
  const call: TestIdentity['call'] = (method, path, options) =>
    identity.call(method, path, { address, ...options });
  return { identity: { ...identity, call }, notifier };
}

/**
 * Before a file's tests: a service and two new partners. What a file needs of them it takes from `ready`. The service is the
 * suite's; with `env` it is one of the file's own, with these settings.
 */
export function useIdentity(ready: (started: Started) => void, env?: Record<string, string>): void {
  let stop = async () => {};
  beforeAll(async () => {
    const own = env && (await startRunning(env));
    stop = own?.stop ?? stop;
    const { identity, notifier } = own?.value ?? (await sharedIdentity());
    const partner = await makePartner(identity, 'Law Firm');
    const other = await makePartner(identity, 'Relocation');
    ready({ identity, notifier, partner, other });
  }, 60_000);
  afterAll(() => stop(), 60_000);
}
