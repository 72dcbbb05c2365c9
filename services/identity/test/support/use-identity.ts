import { afterAll, beforeAll } from '@jest/globals';
import { startTestNotifier, type TestNotifier } from './notifier.ts';
import { makePartner, type TestPartner } from './people.ts';
import { startTestIdentity, type TestIdentity } from './start-identity.ts';

type Started = {
  identity: TestIdentity;
  notifier: TestNotifier;
  partner: TestPartner;
  other: TestPartner;
};

/**
 * Before a file's tests: the service, a notifier that takes every mail, and two partners; after them, all stopped. What a
 * file needs of them it declares and takes from `ready`.
 */
export function useIdentity(ready: (started: Started) => void, env: Record<string, string> = {}): void {
  const stops: (() => Promise<void>)[] = [];
  beforeAll(async () => {
    const identity = await startTestIdentity(env);
    stops.push(() => identity.stop());
    const notifier = await startTestNotifier(identity.nats);
    stops.push(() => notifier.stop());
    const partner = await makePartner(identity, 'Law Firm');
    const other = await makePartner(identity, 'Relocation');
    ready({ identity, notifier, partner, other });
  }, 60_000);
  afterAll(async () => {
    for (const stop of stops.reverse()) await stop();
  }, 60_000);
}
