import {
  type Command,
  type CommandOf,
  connectMongo,
  createLogger,
  createOutbox,
  defineCommand,
  type Environment,
  mongoTls,
  readConfig,
  systemClock,
} from '@casewatch/platform';
import type { z } from 'zod';
import { createAddressHashes } from '../clients/address-hashes.ts';
import { notifierConfig } from '../config.ts';
import { type Context, mailerOf, whatsappOf } from '../context.ts';
import { createStores } from '../store/stores.ts';

/** Commands reach the running senders through the database alone. */
export type AdminContext = Pick<
  Context,
  'config' | 'db' | 'stores' | 'outbox' | 'log' | 'addressHashes' | 'whatsapp' | 'statusMailer'
>;

export function command<S extends z.ZodObject>(
  definition: CommandOf<AdminContext, S>,
): Command<AdminContext> {
  return defineCommand(definition);
}

/** Runs a command with the settings of the service. @throws ConfigError */
export async function withAdmin<T>(
  env: Environment,
  _say: (line: string) => void,
  work: (admin: AdminContext) => Promise<T>,
): Promise<T> {
  const config = readConfig(notifierConfig, env);
  const db = await connectMongo(config.MONGODB_URL, mongoTls(config));
  const statusMailer = mailerOf(config);
  try {
    return await work({
      config,
      db,
      stores: createStores(db),
      // The relay of a running replica finds the events by itself.
      outbox: createOutbox('notifier', db, systemClock.now),
      log: createLogger('notifier', 'silent'),
      addressHashes: createAddressHashes(config.NOTIFIER_HMAC_KEY),
      whatsapp: whatsappOf(config),
      statusMailer,
    });
  } finally {
    statusMailer.close();
    await db.close();
  }
}
