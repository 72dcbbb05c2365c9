/** Brings the database of identity to what this release needs, and ends: a step before a roll-out. */
import { migrate } from '@casewatch/platform';
import { identity } from './service.ts';

await migrate(identity);
