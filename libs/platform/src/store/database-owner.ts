import type { ServiceName } from '@casewatch/contracts';
import mongoose from 'mongoose';
import { ConfigError } from '../settings/config.ts';
import { type Connection, isDuplicateKey } from './mongo.ts';

type OwnerRow = { _id: string; service: ServiceName };

const _id = 'owner';
const schema = new mongoose.Schema<OwnerRow>(
  { _id: String, service: String },
  { versionKey: false, id: false, collection: 'database_owner' },
);

/**
 * Notes in a database which service it belongs to: two services in one would share leases, counters and outbox.
 * @throws ConfigError where it belongs to another one
 */
export async function claimDatabase(connection: Connection, service: ServiceName): Promise<void> {
  try {
    await owners(connection).updateOne({ _id }, { $setOnInsert: { service } }, { upsert: true });
  } catch (error) {
    // Another replica, or another service, was first.
    if (!isDuplicateKey(error)) throw error;
  }
  const owner = await ownerOf(connection);
  if (owner !== service)
    throw new ConfigError(
      `MONGODB_URL names the database of ${owner}. Give ${service} a database of its own.`,
    );
}

/** The service that a database belongs to; undefined where none has started on it yet. */
export async function ownerOf(connection: Connection): Promise<ServiceName | undefined> {
  return (await owners(connection).findById(_id).lean())?.service;
}

function owners(connection: Connection) {
  return connection.model<OwnerRow>('database_owner', schema);
}
