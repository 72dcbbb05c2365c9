import { type Addresses, httpAt } from '../addresses.ts';
import { HOST } from '../ports.ts';

/** Ports that docker-compose.yml publishes, by the variable that changes them. */
const PUBLISHED = {
  GATEWAY_PORT: 4000,
  MAIL_PORT: 4006,
  USCIS_PORT: 4008,
  TWILIO_PORT: 4009,
  RECEIVER_PORT: 4010,
  MONGODB_PORT: 4011,
  NATS_PORT: 4012,
  TRACES_PORT: 4013,
} as const;

/** docker-compose.yml contains this password. */
const MONGODB_ROOT = 'root:demo-only-mongodb-root';

export function publishedAddresses(env: NodeJS.ProcessEnv): Addresses {
  const port = (name: keyof typeof PUBLISHED): number => Number(env[name] || PUBLISHED[name]);
  return {
    gateway_url: httpAt(port('GATEWAY_PORT')),
    mail_url: httpAt(port('MAIL_PORT')),
    uscis_url: httpAt(port('USCIS_PORT')),
    twilio_url: httpAt(port('TWILIO_PORT')),
    receiver_url: httpAt(port('RECEIVER_PORT')),
    traces_url: httpAt(port('TRACES_PORT')),
    // The name of the replica set's member resolves only inside Docker.
    mongodb_url: `mongodb://${MONGODB_ROOT}@${HOST}:${port('MONGODB_PORT')}/?directConnection=true&authSource=admin`,
    nats_url: `nats://${HOST}:${port('NATS_PORT')}`,
  };
}
