/** Brings the database of cases to what this release needs, and ends: a step before a roll-out. */
import { migrate } from '@casewatch/platform';
import { cases } from './service.ts';

await migrate(cases);
