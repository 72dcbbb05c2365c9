/** Brings the database of webhooks to what this release needs, and ends: a step before a roll-out. */
import { migrate } from '@casewatch/platform';
import { webhooks } from './service.ts';

await migrate(webhooks);
