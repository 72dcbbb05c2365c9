import { randomBytes } from 'node:crypto';
import { serviceNames } from '@casewatch/contracts';
import { natsAuthorization } from '@casewatch/platform';
import { backend } from './backend.ts';

export interface TestNats {
  url: string;
  /** The three settings with which a service connects, under the user that has its rights. */
  user(service: string): { NATS_URL: string; NATS_USER: string; NATS_PASSWORD: string };
  /** An operator's connection options: every right, as `nats` on an operator's own machine would have. */
  operator: { user: string; pass: string };
  /** Process id; undefined when the server is in a container. */
  pid: number | undefined;
  stop(): Promise<void>;
}

/** A real nats-server with JetStream, always one's own, with one user per service and that service's rights. */
export async function startNats(): Promise<TestNats> {
  const passwords = Object.fromEntries(serviceNames.map((name) => [name, randomBytes(24).toString('hex')]));
  const operator = { user: 'operator', pass: randomBytes(24).toString('hex') };
  const { url, pid, stop } = await backend().nats(natsAuthorization(passwords, operator));
  const user = (service: string): ReturnType<TestNats['user']> => {
    const password = passwords[service];
    if (password === undefined) throw new Error(`there is no service called ${service}`);
    return { NATS_URL: url, NATS_USER: service, NATS_PASSWORD: password };
  };
  return { url, user, operator, pid, stop };
}
