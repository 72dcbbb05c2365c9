import type { ServiceName } from '@casewatch/contracts';
import { ConfigError } from '../settings/config.ts';
import { collection } from './collection.ts';
import { type Connection, retryOnDuplicate } from './mongo.ts';

type OwnerRow = { _id: string; service: ServiceName };

const _id = 'owner';
const owners = collection<OwnerRow>('database_owner', String);

/** Two services in one database would share leases, counters and outbox. @throws ConfigError if another service owns it */
export async function claimDatabase(connection: Connection, service: ServiceName): Promise<void> {
  const insert = { $setOnInsert: { service } };
  await retryOnDuplicate(() => owners(connection).updateOne({ _id }, insert, { upsert: true }));
  const owner = await ownerOf(connection);
  if (owner !== service)
    throw new ConfigError(
      `MONGODB_URL names the database of ${owner}. Use a separate database for ${service}.`,
    );
}

/** The service that owns a database; undefined before its first start. */
export async function ownerOf(connection: Connection): Promise<ServiceName | undefined> {
  return (await owners(connection).findById(_id).lean())?.service;
}
