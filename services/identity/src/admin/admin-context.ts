import { createInterface } from 'node:readline/promises';
import {
  baseSettings,
  connectOnce,
  createSecretBox,
  type Environment,
  keyRingSetting,
  mongoTls,
  readConfig,
  storeSettings,
} from '@casewatch/platform';
import {
  type Connection,
  connectMongo,
  createIdempotency,
  createIds,
  createOutbox,
  prepareMissingModels,
  readDatabaseClock,
} from '@casewatch/platform/database';
import { z } from 'zod';
import { identityConfig } from '../config.ts';
import { createMacs } from '../credentials/macs.ts';
import { signingKeyPurpose } from '../credentials/new-signing-key.ts';
import { factorPurpose } from '../store/second-factors.ts';
import { createStores } from '../store/stores.ts';

export const adminConfig = z.object({
  NODE_ENV: baseSettings.NODE_ENV,
  TRANSPORT_SECURITY: baseSettings.TRANSPORT_SECURITY,
  ...storeSettings,
  SECRET_PEPPER: keyRingSetting,
  PUBLIC_URL: identityConfig.shape.PUBLIC_URL.default('http://localhost:8080'),
});

type AdminConfig = z.output<typeof adminConfig>;

/** The dependencies of commands: only the database. The running service publishes their events from the outbox. */
export type AdminContext = Awaited<ReturnType<typeof createAdminContext>>;

export async function openAdmin(env: Environment) {
  const config = readConfig(adminConfig, env);
  const db = await connectOnce('MongoDB', connectMongo(config.MONGODB_URL, mongoTls(config)));
  try {
    return { ctx: await createAdminContext(db, config), close: () => db.close() };
  } catch (error) {
    await db.close();
    throw error;
  }
}

export async function createAdminContext(db: Connection, config: AdminConfig) {
  const stores = createStores(db);
  const clock = await readDatabaseClock(db);
  const outbox = createOutbox('identity', db, clock.now);
  await prepareMissingModels(db);
  return {
    clock,
    db,
    stores,
    outbox,
    // One id at a time: operators type the ids of partners and keys.
    ids: createIds(db, 1),
    macs: createMacs(config.SECRET_PEPPER),
    idempotency: createIdempotency(db, config.SECRET_PEPPER),
    box: createSecretBox(config.SECRET_PEPPER, signingKeyPurpose),
    factorBox: createSecretBox(config.SECRET_PEPPER, factorPurpose),
    ask,
    publicUrl: config.PUBLIC_URL,
    isProduction: config.NODE_ENV === 'production',
  };
}

/** The line that the operator types; empty where nobody can. The question goes to stderr: stdout has the result alone. */
async function ask(question: string): Promise<string> {
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  const ended = new Promise<string>((resolve) => lines.once('close', () => resolve('')));
  try {
    return await Promise.race([lines.question(question), ended]);
  } finally {
    lines.close();
  }
}
