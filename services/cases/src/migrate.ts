/** Creates missing collections and indexes before a roll-out. */
import { migrate } from '@casewatch/platform/database';
import { cases } from './service.ts';

await migrate(cases);
