import { parseArgs } from 'node:util';
import type { z } from 'zod';
import type { AdminContext } from './open-admin.ts';

/** What a command found or did: for programs (`--json`) and for people. */
export type Report = { json: object; lines: string[] };

/** One word after `monitor`, its flags (all take a value but the booleans), and what it does. */
export type Command = {
  readonly flags: z.ZodObject;
  /** The flags as they are typed, for people. */
  readonly form: string;
  readonly booleans?: readonly string[];
  run(admin: AdminContext, flags: never): Promise<Report>;
};

/** Called in a way that is not understood. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** Keeps the types of a command's own flags. */
export function define<F extends z.ZodObject>(definition: {
  flags: F;
  form: string;
  booleans?: readonly string[];
  run(admin: AdminContext, flags: z.output<F>): Promise<Report>;
}): Command {
  return definition as Command;
}

/** @throws UsageError naming what is wrong and the right form */
export function parseCall(commands: Readonly<Record<string, Command>>, args: readonly string[]) {
  const [word = '', ...rest] = args[0] === 'monitor' ? args.slice(1) : args;
  const command = Object.hasOwn(commands, word) ? commands[word] : undefined;
  if (!command) {
    const forms = Object.entries(commands).map(([name, { form }]) => formOf(name, form));
    throw new UsageError(`Say what to do, one of:\n${forms.join('\n')}`);
  }
  const wrong = (why: string) => new UsageError(`${why}\nThe right form is:\n${formOf(word, command.form)}`);
  const kind = (name: string) => (command.booleans?.includes(name) ? 'boolean' : 'string');
  const names = Object.keys(command.flags.shape);
  const options = Object.fromEntries([...names, 'json'].map((name) => [name, { type: kind(name) } as const]));
  let values: Record<string, unknown>;
  try {
    ({ values } = parseArgs({ args: rest, options: { ...options, json: { type: 'boolean' } } }));
  } catch (error) {
    throw wrong(error instanceof Error ? error.message : 'not understood');
  }
  const { json, ...given } = values;
  const parsed = command.flags.safeParse(given);
  if (parsed.success) return { command, flags: parsed.data, isJson: json === true };
  throw wrong(parsed.error.issues.map(({ path, message }) => `--${path.join('.')}: ${message}`).join('; '));
}

function formOf(word: string, form: string): string {
  return `  npm run admin -- ${`monitor ${word} ${form}`.trim()} [--json]`;
}
