/** Brings the monitor's database to what this release needs, and ends: a step before a roll-out. */
import { migrate } from '@casewatch/platform/database';
import { monitor } from './service.ts';

await migrate(monitor);
