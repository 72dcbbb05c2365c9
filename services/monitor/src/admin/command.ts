import { type DefineCommand, defineCommand } from '@casewatch/platform';
import type { SharedContext } from '../context.ts';

/** Commands reach the running sender through the database alone. */
export const command: DefineCommand<SharedContext> = defineCommand;
