import { type Command, type CommandOf, defineCommand } from '@casewatch/platform';
import type { z } from 'zod';
import type { AdminContext } from './open-admin.ts';

/** Declares a command of the monitor's operator. */
export function command<S extends z.ZodObject>(
  definition: CommandOf<AdminContext, S>,
): Command<AdminContext> {
  return defineCommand(definition);
}
