/** Migrates the database before a roll-out. */
import { migrate } from '@casewatch/platform';
import { webhooks } from './service.ts';

await migrate(webhooks);
