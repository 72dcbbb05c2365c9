import { setTimeout as delay } from 'node:timers/promises';
import { type ServiceName, serviceNames } from '@casewatch/contracts';
import { CliError } from './cli-error.ts';
import { isFree } from './servers/free-port.ts';

/** In the order of the ports above PORT_BASE. */
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
  'traces',
  'gateway_metrics',
  'identity_metrics',
  'cases_metrics',
  'monitor_metrics',
  'notifier_metrics',
  'webhooks_metrics',
] as const;

export type Listener = (typeof LISTENERS)[number];
export type Ports = Record<Listener, number>;

export const HOST = '127.0.0.1';
const POLL_MS = 200;

export function assignPorts(base: number): Ports {
  const entries = LISTENERS.map((name, index) => [name, base + index] as const);
  return Object.fromEntries(entries) as Ports;
}

/** Where a replica listens if several share the port of their service, which then is a round robin. */
export function replicaPort({ gateway: base }: Ports, name: ServiceName, replica: number): number {
  return base + LISTENERS.length + replica * serviceNames.length + serviceNames.indexOf(name);
}

/** Of a system beside others: above the default 4000, below the ephemeral range. */
export async function freePortBase(): Promise<number> {
  for (;;) {
    const base = 12_000 + Math.floor(Math.random() * 900) * 20;
    const free = await Promise.all(Object.values(assignPorts(base)).map(isFree));
    if (free.every(Boolean)) return base;
  }
}

/**
 * Waits up to `patienceMs` until all ports are free.
 * @throws CliError if a port stays busy
 */
export async function checkPorts(ports: Ports, needed: Listener[], timeoutMs: number): Promise<void> {
  const deadline = Date.now() + timeoutMs;
  for (const name of needed) {
    while (!(await isFree(ports[name]))) {
      if (Date.now() >= deadline) throw portError(name, ports);
      await delay(POLL_MS);
    }
  }
}

function portError(name: Listener, ports: Ports): CliError {
  const other = ports.gateway + 1000;
  return new CliError(
    `Port ${ports[name]} (${name}) is taken by another program.\n` +
      `End that program, or move all ports: PORT_BASE=${other} npm start`,
  );
}

export function listeners(): Listener[] {
  return [...LISTENERS];
}
