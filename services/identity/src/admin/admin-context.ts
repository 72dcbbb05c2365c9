import {
  baseSettings,
  connectMongo,
  createIdempotency,
  createIds,
  createOutbox,
  createSecretBox,
  type Environment,
  type Idempotency,
  type Ids,
  keyRingSetting,
  mongoTls,
  outboxModel,
  prepareModels,
  readConfig,
  type SecretBox,
  storeSettings,
  systemClock,
} from '@casewatch/platform';
import { z } from 'zod';
import type { WriteContext } from '../context.ts';
import { createMacs, type Macs } from '../credentials/macs.ts';
import { signingKeyPurpose } from '../credentials/new-signing-key.ts';
import { createStores } from '../store/stores.ts';

/** What a command works with: the database alone. Events wait in the outbox for the running service. */
export type AdminContext = WriteContext & {
  readonly ids: Ids;
  readonly macs: Macs;
  readonly idempotency: Idempotency;
  /** Opens and seals signing keys. */
  readonly box: SecretBox;
  readonly isProduction: boolean;
};

const adminConfig = z.object({
  NODE_ENV: baseSettings.NODE_ENV,
  TRANSPORT_SECURITY: baseSettings.TRANSPORT_SECURITY,
  ...storeSettings,
  SECRET_PEPPER: keyRingSetting,
});

/** @throws ConfigError */
export async function openAdmin(env: Environment): Promise<{ ctx: AdminContext; close(): Promise<void> }> {
  const config = readConfig(adminConfig, env);
  const db = await connectMongo(config.MONGODB_URL, mongoTls(config));
  try {
    const stores = createStores(db);
    await prepareModels(db);
    await outboxModel(db).createCollection();
    const ctx: AdminContext = {
      clock: systemClock,
      db,
      stores,
      outbox: createOutbox('identity', db, systemClock.now),
      // One at a time: partners and keys are few, and people type their ids.
      ids: createIds(db, 1),
      macs: createMacs(config.SECRET_PEPPER),
      idempotency: createIdempotency(db, config.SECRET_PEPPER),
      box: createSecretBox(config.SECRET_PEPPER, signingKeyPurpose),
      isProduction: config.NODE_ENV === 'production',
    };
    return { ctx, close: () => db.close() };
  } catch (error) {
    await db.close();
    throw error;
  }
}
