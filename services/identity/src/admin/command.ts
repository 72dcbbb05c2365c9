import { type Command, type CommandOf, defineCommand } from '@casewatch/platform';
import type { z } from 'zod';
import type { AdminContext } from './admin-context.ts';

export { RefusedError } from '@casewatch/platform';

/** Declares a command of identity's operator. */
export function command<S extends z.ZodObject>(
  definition: CommandOf<AdminContext, S>,
): Command<AdminContext> {
  return defineCommand(definition);
}
