/** Brings the notifier's database to what this release needs, and ends: before a roll-out, from any number of places. */
import { runMigrations } from '@casewatch/platform';
import { database } from './store/database.ts';

await runMigrations('notifier', database);
