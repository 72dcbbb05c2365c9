/** Creates missing collections and indexes before a roll-out. */
import { migrate } from '@casewatch/platform/database';
import { webhooks } from './service.ts';

await migrate(webhooks);
