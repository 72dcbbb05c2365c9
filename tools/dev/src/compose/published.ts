import { type Addresses, httpAt } from '../addresses.ts';
import { HOST } from '../ports.ts';

/** What docker-compose.yml publishes on this machine, by the variable that moves it. */
const PUBLISHED = {
  GATEWAY_PORT: 4000,
  MAIL_PORT: 4006,
  USCIS_PORT: 4008,
  TWILIO_PORT: 4009,
  RECEIVER_PORT: 4010,
  MONGODB_PORT: 4011,
  NATS_PORT: 4012,
} as const;

/** The demo's operator of MongoDB: its password stands in docker-compose.yml, for everybody to read. */
const MONGODB_ROOT = 'root:demo-only-mongodb-root';

/** Where a system of docker-compose.yml is to be found from this machine. */
export function publishedAddresses(env: NodeJS.ProcessEnv): Addresses {
  const port = (name: keyof typeof PUBLISHED): number => Number(env[name] || PUBLISHED[name]);
  return {
    gateway_url: httpAt(port('GATEWAY_PORT')),
    mail_url: httpAt(port('MAIL_PORT')),
    uscis_url: httpAt(port('USCIS_PORT')),
    twilio_url: httpAt(port('TWILIO_PORT')),
    receiver_url: httpAt(port('RECEIVER_PORT')),
    // The member's name holds inside only, so the driver must not follow it.
    mongodb_url: `mongodb://${MONGODB_ROOT}@${HOST}:${port('MONGODB_PORT')}/?directConnection=true&authSource=admin`,
    nats_url: `nats://${HOST}:${port('NATS_PORT')}`,
  };
}
