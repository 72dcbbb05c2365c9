import { runCommands } from '@casewatch/platform';
import { runAdmin } from './run-admin.ts';

await runCommands(runAdmin);
