import {
  createLogger,
  type DefineCommand,
  defineCommand,
  type Environment,
  readConfig,
} from '@casewatch/platform';
import { createOutbox, readDatabaseClock, withDatabase } from '@casewatch/platform/database';
import { createAddressHashes } from '../clients/address-hashes.ts';
import { createTurns } from '../clients/turns.ts';
import { notifierConfig } from '../config.ts';
import { type Context, mailerOf, whatsappOf } from '../context.ts';
import { createStores } from '../store/stores.ts';

/** Commands reach the running senders through the database alone. */
export type AdminContext = Pick<
  Context,
  'config' | 'clock' | 'db' | 'stores' | 'outbox' | 'log' | 'addressHashes' | 'whatsapp' | 'statusMailer'
>;

export const command: DefineCommand<AdminContext> = defineCommand;

/** Runs a command with the settings of the service. @throws ConfigError */
export async function withAdmin<T>(
  env: Environment,
  _say: (line: string) => void,
  work: (admin: AdminContext) => Promise<T>,
): Promise<T> {
  const config = readConfig(notifierConfig, env);
  const turns = createTurns({ count: 1, onLate: () => undefined });
  const statusMailer = mailerOf(config, { turns, isUrgent: false });
  try {
    return await withDatabase(config, async (db) => {
      const clock = await readDatabaseClock(db);
      return await work({
        config,
        clock,
        db,
        stores: createStores(db),
        // The relay of a running replica finds the events by itself.
        outbox: createOutbox('notifier', db, clock.now),
        log: createLogger('notifier', 'silent'),
        addressHashes: createAddressHashes(config.NOTIFIER_HMAC_KEY),
        whatsapp: whatsappOf(config),
        statusMailer,
      });
    });
  } finally {
    statusMailer.close();
  }
}
