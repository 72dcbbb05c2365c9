import { parseArgs } from 'node:util';
import type { z } from 'zod';
import type { AdminContext } from './admin-context.ts';

/** What a command did: for programs (`--json`, one line) and for people. */
export type Report = { json: unknown; lines: readonly string[] };

export type Options = Readonly<Record<string, unknown>>;

/** One subcommand; `options` are its flags, each with a value. */
export type Command = {
  /** As typed: `partner create`. */
  readonly words: string;
  /** The right form of its options, for the sentence that bad usage gets. */
  readonly form: string;
  readonly options: z.ZodObject;
  run(ctx: AdminContext, options: Options): Promise<Report>;
};

/** Called in a way that no command understands; the message shows the right form. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** Understood, but it cannot be done; the message says why. */
export class RefusedError extends Error {
  override readonly name = 'RefusedError';
}

/** Keeps the types of a command's own options inside it. */
export function command<S extends z.ZodObject>(definition: {
  words: string;
  form: string;
  options: S;
  run(ctx: AdminContext, options: z.output<S>): Promise<Report>;
}): Command {
  const { run, ...rest } = definition;
  return { ...rest, run: (ctx, options) => run(ctx, options as z.output<S>) };
}

/** @throws UsageError */
export function readCall(
  commands: readonly Command[],
  args: readonly string[],
): { command: Command; options: Options; json: boolean } {
  const found = commands.find(({ words }) => words.split(' ').every((word, i) => args[i] === word));
  if (!found) throw new UsageError(`Say what to do, one of:\n${commands.map(formOf).join('\n')}`);
  const rest = args.slice(found.words.split(' ').length);
  const { json, ...values } = readFlags(found, rest);
  const parsed = found.options.safeParse(values);
  if (!parsed.success) {
    const faults = parsed.error.issues.map(({ path: [flag = ''], message }) =>
      String(flag) in values ? `--${String(flag)} ${message}` : `--${String(flag)} is missing`,
    );
    throw wrong(found, faults.join('; '));
  }
  return { command: found, options: parsed.data, json: json === true };
}

function readFlags(found: Command, args: string[]): Record<string, unknown> {
  const names = Object.keys(found.options.shape);
  const flags = Object.fromEntries(names.map((name) => [name, { type: 'string' as const }]));
  try {
    const options = { ...flags, json: { type: 'boolean' as const } };
    return { ...parseArgs({ args, options, allowPositionals: false }).values };
  } catch (error) {
    throw wrong(found, error instanceof Error ? error.message : 'not understood');
  }
}

function wrong(found: Command, why: string): UsageError {
  return new UsageError(`${why}\nThe right form is:\n${formOf(found)}`);
}

function formOf({ words, form }: Command): string {
  return `  npm run admin -- ${`${words} ${form}`.trim()} [--json]`;
}
