import type { Addresses as PublicAddresses } from '@casewatch/driver';
import { HOST, type Ports } from './ports.ts';

/** Where everything is, the servers included. */
export interface Addresses extends PublicAddresses {
  mongodb_url: string;
  nats_url: string;
}

/** The addresses at these ports; the two servers may be elsewhere (MONGODB_URL, NATS_URL). */
export function addressesAt(ports: Ports, servers: { mongodbUrl: string; natsUrl: string }): Addresses {
  return {
    gateway_url: httpAt(ports.gateway),
    mail_url: httpAt(ports.mail),
    uscis_url: httpAt(ports.uscis),
    twilio_url: httpAt(ports.twilio),
    receiver_url: httpAt(ports.receiver),
    mongodb_url: servers.mongodbUrl,
    nats_url: servers.natsUrl,
  };
}

export function httpAt(port: number): string {
  return `http://${HOST}:${port}`;
}

/** A service's own database at the server's address. */
export function databaseAt(mongodbUrl: string, database: string): string {
  const address = new URL(mongodbUrl);
  address.pathname = `/${database}`;
  return address.href;
}
