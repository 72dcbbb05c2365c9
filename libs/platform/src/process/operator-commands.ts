import { parseArgs } from 'node:util';
import type { z } from 'zod';
import { ConfigError, type Environment } from '../settings/config.ts';

/** The result of a command: for programs (`--json`, one line) and for people. */
export type Report = { readonly json: unknown; readonly lines: readonly string[] };

/** One command of an operator; `S`: the schema of its options. */
export type CommandOf<X, S extends z.ZodObject> = {
  /** As typed: `partner create`. */
  readonly words: string;
  /** The right form of its options, or several, for the message of a wrong call. */
  readonly form: string | readonly string[];
  /** The whole message of a wrong call, in place of the fault and the form. */
  readonly usage?: string;
  /** Its flags. A boolean one is given without a value. */
  readonly options: S;
  /** Options that are given by their place, without a flag: the messages of their faults are whole sentences. */
  readonly positionals?: readonly (keyof S['shape'] & string)[];
  run(ctx: X, options: z.output<S>): Promise<Report>;
};

export type Command<X> = Omit<CommandOf<X, z.ZodObject>, 'run'> & {
  run(ctx: X, options: Readonly<Record<string, unknown>>): Promise<Report>;
};

/** Called in a way that no command understands; the message shows the right form. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** Understood, but it cannot be done; the message says why. */
export class RefusedError extends Error {
  override readonly name = 'RefusedError';
}

/** Declares a command: its `run` gets the types of its own options. */
export function defineCommand<X, S extends z.ZodObject>(definition: CommandOf<X, S>): Command<X> {
  const { run, ...rest } = definition;
  return { ...rest, run: (ctx, options) => run(ctx, options as z.output<S>) };
}

type Program<X> = {
  /** The first word of every call; it may be left out. */
  readonly name?: string;
  readonly commands: readonly Command<X>[];
  /** Opens what commands work with, and closes it after the work. `say` prints how a long command gets on. */
  withContext(
    env: Environment,
    say: (line: string) => void,
    work: (ctx: X) => Promise<Report>,
  ): Promise<Report>;
};

type Output = { out(line: string): void; err(line: string): void };

/** The process's own output. */
export const standardOutput: Output = {
  out: (line) => process.stdout.write(`${line}\n`),
  err: (line) => process.stderr.write(`${line}\n`),
};

/**
 * Makes a program of commands: it runs the one that its arguments name, and returns the exit code: 0 done, 1 refused or
 * failed, 2 called wrongly or settings missing.
 */
export function operatorProgram<X>(program: Program<X>) {
  return async (
    args: readonly string[],
    env: Environment,
    { out, err } = standardOutput,
  ): Promise<number> => {
    try {
      const { command, options, isJson } = readCall(program, args);
      const report = await program.withContext(env, err, (ctx) => command.run(ctx, options));
      for (const line of isJson ? [JSON.stringify(report.json)] : report.lines) out(line);
      return 0;
    } catch (error) {
      if (!(error instanceof Error)) throw error;
      err(error.message);
      return error instanceof UsageError || error instanceof ConfigError ? 2 : 1;
    }
  };
}

/** @throws UsageError with the faults and the right form */
function readCall<X>({ name, commands }: Program<X>, args: readonly string[]) {
  const words = name !== undefined && args[0] === name ? args.slice(1) : args;
  const command = commands.find((known) => wordsOf(known).every((word, i) => words[i] === word));
  const formsOf = (known: Command<X>) =>
    [known.form].flat().map((form) => {
      const call = [name, known.words, form].filter(Boolean).join(' ');
      return `  npm run admin -- ${call} [--json]`;
    });
  if (!command) throw new UsageError(`Say what to do, one of:\n${commands.flatMap(formsOf).join('\n')}`);
  const read = readOptions(command, words.slice(wordsOf(command).length));
  if (read.fault === undefined) return { command, ...read };
  const forms = formsOf(command);
  const right = forms.length === 1 ? 'The right form is' : 'The right forms are';
  throw new UsageError(command.usage ?? `${read.fault}\n${right}:\n${forms.join('\n')}`);
}

function wordsOf<X>({ words }: Command<X>): string[] {
  return words.split(' ').filter(Boolean);
}

type Values = Readonly<Record<string, unknown>>;
type Read = { fault?: undefined; options: Values; isJson: boolean } | { fault: string };

function readOptions<X>({ options: schema, positionals = [] }: Command<X>, args: string[]): Read {
  const flags = Object.entries(schema.shape).filter(([name]) => !positionals.includes(name));
  const kinds = flags.map(([name, of]) => [name, { type: isBoolean(of) ? 'boolean' : 'string' }] as const);
  const options = { ...Object.fromEntries(kinds), json: { type: 'boolean' as const } };
  let parsed: { values: Values; positionals: string[] };
  try {
    parsed = parseArgs({ args, options, allowPositionals: positionals.length > 0 });
  } catch (error) {
    return { fault: error instanceof Error ? error.message : 'not understood' };
  }
  const extra = parsed.positionals[positionals.length];
  if (extra !== undefined) return { fault: `Unexpected argument: ${extra}` };
  const placed = parsed.positionals.map((value, i) => [positionals[i], value] as const);
  const { json, ...values } = { ...parsed.values, ...Object.fromEntries(placed) };
  const read = schema.safeParse(values);
  if (read.success) return { options: read.data, isJson: json === true };
  const sentences = read.error.issues.map(({ path: [key = ''], message }) => {
    const name = String(key);
    if (positionals.includes(name)) return message;
    return name in values ? `--${name} ${message}` : `--${name} is missing`;
  });
  return { fault: sentences.join('; ') };
}

/** Whether an option is a boolean, through `.default()` and `.optional()`. */
function isBoolean(schema: z.core.$ZodType): boolean {
  const { type, innerType } = schema._zod.def as { type: string; innerType?: z.core.$ZodType };
  return type === 'boolean' || (innerType !== undefined && isBoolean(innerType));
}
