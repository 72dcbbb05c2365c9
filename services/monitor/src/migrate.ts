/** Creates missing collections and indexes before a roll-out. */
import { migrate } from '@casewatch/platform/database';
import { monitor } from './service.ts';

await migrate(monitor);
