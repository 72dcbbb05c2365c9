/** Migrates the database before a roll-out. */
import { migrate } from '@casewatch/platform';
import { cases } from './service.ts';

await migrate(cases);
