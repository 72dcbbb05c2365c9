/** What a service with a database adds. The gateway imports nothing from here, so that it does not load mongoose. */
export * from './outbox/lease-signals.ts';
export * from './outbox/outbox.ts';
export * from './outbox/relay.ts';
export * from './outbox/subject.ts';
export { readDatabaseClock } from './process/database-clock.ts';
export * from './process/migrate.ts';
export * from './process/open-database.ts';
export * from './programs/preflight-mongodb.ts';
export * from './store/collection.ts';
export * from './store/database-time.ts';
export * from './store/erased-users.ts';
export * from './store/idempotency.ts';
export * from './store/ids.ts';
export * from './store/lease.ts';
export { commandMs } from './store/limit-commands.ts';
export * from './store/mongo.ts';
export * from './store/prepare-database.ts';
export * from './store/word-search.ts';
