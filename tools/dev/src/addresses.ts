import { type ServiceName, serviceNames } from '@casewatch/contracts';
import type { Addresses as PublicAddresses } from '@casewatch/driver';
import { mongoServersFault } from '@casewatch/platform';
import { CliError } from './cli-error.ts';
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

/** Everything before the database, its name, the options. The class URL does not accept several hosts. */
const mongodbParts = /^(mongodb(?:\+srv)?:\/\/[^/?]*)\/?([^?]*)\??(.*)$/;

/** The address of a database on the same servers, with the same user, whose credentials stay where they are. */
export function databaseAt(mongodbUrl: string, database: string): string {
  const fault = mongoServersFault(mongodbUrl);
  if (fault !== undefined) throw new CliError(`MONGODB_URL ${fault}.`);
  const [, servers = '', former = '', query = ''] = mongodbParts.exec(mongodbUrl) ?? [];
  const options = query.split('&').filter(Boolean);
  const has = (name: string) => options.some((option) => option.toLowerCase().startsWith(`${name}=`));
  // Without this the driver would look for the user in the new database.
  if (servers.includes('@') && !has('authsource') && !has('authmechanism'))
    options.push(`authSource=${former || 'admin'}`);
  return `${servers}/${database}${options.length > 0 ? '?' : ''}${options.join('&')}`;
}
