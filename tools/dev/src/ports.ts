import { createServer } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { Problem } from './problem.ts';

/** Everything that listens, in the order of its port above the base. */
const LISTENERS = [
  'gateway',
  'identity',
  'cases',
  'monitor',
  'notifier',
  'webhooks',
  'mail',
  'smtp',
  'uscis',
  'twilio',
  'receiver',
  'mongod',
  'nats',
] as const;

export type Listener = (typeof LISTENERS)[number];
export type Ports = Record<Listener, number>;

export const HOST = '127.0.0.1';
const POLL_MS = 200;

/** Port numbers from `base` on: gateway +0 … nats +12. */
export function assignPorts(base: number): Ports {
  const entries = LISTENERS.map((name, index) => [name, base + index] as const);
  return Object.fromEntries(entries) as Ports;
}

/**
 * Checks that all these ports are free, waiting up to `patienceMs` for one that is not.
 * @throws Problem naming the port, what it is for, and PORT_BASE
 */
export async function checkPorts(ports: Ports, needed: Listener[], patienceMs: number): Promise<void> {
  const deadline = Date.now() + patienceMs;
  for (const name of needed) {
    while (!(await isFree(ports[name]))) {
      if (Date.now() >= deadline) throw taken(name, ports);
      await delay(POLL_MS);
    }
  }
}

function taken(name: Listener, ports: Ports): Problem {
  const other = ports.gateway + 1000;
  return new Problem(
    `Port ${ports[name]} (${name}) is taken by another program.\n` +
      `End that program, or move all ports: PORT_BASE=${other} npm start`,
  );
}

export function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen(port, HOST, () => server.close(() => resolve(true)));
  });
}

export function listeners(): Listener[] {
  return [...LISTENERS];
}
