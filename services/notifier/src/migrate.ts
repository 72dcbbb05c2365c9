/** Brings the notifier's database to what this release needs, and ends: a step before a roll-out. */
import { migrate } from '@casewatch/platform';
import { notifier } from './service.ts';

await migrate(notifier);
