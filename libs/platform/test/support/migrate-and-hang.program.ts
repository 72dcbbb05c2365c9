/** A process in the middle of a migration that does not end; migrate.test.ts kills it. */
import { createLogger } from '@casewatch/platform';
import { applyMigrations, connectMongo } from '@casewatch/platform/database';

const connection = await connectMongo(process.argv[2] ?? '');
await applyMigrations({
  connection,
  log: createLogger('cases', 'silent'),
  database: {
    migrations: [
      {
        id: '0001-slow',
        async run(db) {
          await db.collection('runs').insertOne({ by: 'the killed one' });
          await new Promise(() => undefined);
        },
      },
    ],
    prepare: async () => undefined,
  },
});
