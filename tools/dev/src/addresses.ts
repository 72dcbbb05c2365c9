import { type ServiceName, serviceNames } from '@casewatch/contracts';
import type { Addresses as PublicAddresses } from '@casewatch/driver';
import { HOST, type Ports } from './ports.ts';

/** All addresses of a running system. */
export interface Addresses extends PublicAddresses {
  mongodb_url: string;
  nats_url: string;
  /** The trace viewer; it also takes the spans. */
  traces_url: string;
}

/** The metrics of each service. */
export function metricsUrls(ports: Ports): Record<ServiceName, string> {
  const entries = serviceNames.map((name) => [name, `${httpAt(ports[`${name}_metrics`])}/metrics`]);
  return Object.fromEntries(entries);
}

export function addressesAt(ports: Ports, servers: { mongodbUrl: string; natsUrl: string }): Addresses {
  return {
    gateway_url: httpAt(ports.gateway),
    mail_url: httpAt(ports.mail),
    uscis_url: httpAt(ports.uscis),
    twilio_url: httpAt(ports.twilio),
    receiver_url: httpAt(ports.receiver),
    traces_url: httpAt(ports.traces),
    mongodb_url: servers.mongodbUrl,
    nats_url: servers.natsUrl,
  };
}

export function httpAt(port: number): string {
  return `http://${HOST}:${port}`;
}

export function databaseAt(mongodbUrl: string, database: string): string {
  const address = new URL(mongodbUrl);
  address.pathname = `/${database}`;
  return address.href;
}
