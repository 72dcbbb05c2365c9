import { parseArgs } from 'node:util';
import { faultTexts, requiredText } from '@casewatch/contracts';
import type { z } from 'zod';
import { type AddRecord, recordCommand } from '../audit/record-command.ts';
import { ConfigError, type Environment } from '../settings/config.ts';
import { withoutSecrets } from '../telemetry/secrets.ts';
import type { Clock } from '../timing/clock.ts';
import { endSoon, guardOutput } from './guard-output.ts';

export type Report = { readonly json: unknown; readonly lines: readonly string[] };

export type CommandOf<X, S extends z.ZodObject> = {
  /** As typed: `partner create`. */
  readonly words: string;
  /** One or more correct forms of its options, for the message of a wrong call. */
  readonly form: string | readonly string[];
  readonly usage?: string;
  readonly options: S;
  /** Options without a flag. The messages of their faults are whole sentences. */
  readonly positionals?: readonly (keyof S['shape'] & string)[];
  run(ctx: X, options: z.output<S>): Promise<Report>;
};

export type Command<X> = Omit<CommandOf<X, z.ZodObject>, 'run'> & {
  run(ctx: X, options: Readonly<Record<string, unknown>>): Promise<Report>;
};

export class UsageError extends Error {
  override readonly name = 'UsageError';
}

export class RefusedError extends Error {
  override readonly name = 'RefusedError';
}

/** `defineCommand` for commands with one kind of context. */
export type DefineCommand<X> = <S extends z.ZodObject>(definition: CommandOf<X, S>) => Command<X>;

export function defineCommand<X, S extends z.ZodObject>(definition: CommandOf<X, S>): Command<X> {
  const { run, ...rest } = definition;
  return { ...rest, run: (ctx, options) => run(ctx, options as z.output<S>) };
}

type Program<X> = {
  /** Where commands that do something for a partner are recorded; without it they are not. */
  readonly recordIn?: (ctx: X) => { readonly clock: Clock; readonly add: AddRecord };
  readonly name?: string;
  readonly commands: readonly Command<X>[];
  /** Opens and closes the commands' dependencies. `say` prints the progress of a long command. */
  withContext(
    env: Environment,
    say: (line: string) => void,
    work: (ctx: X) => Promise<Report>,
  ): Promise<Report>;
};

type Output = { out(line: string): void; err(line: string): void };

export const standardOutput: Output = {
  out: (line) => process.stdout.write(`${line}\n`),
  err: (line) => process.stderr.write(`${line}\n`),
};

/** A program of commands. `--help` prints the forms of the command, or of all. Exit codes: 0 done, 1 refused or failed, 2 wrong call or wrong settings. */
export function operatorProgram<X>(program: Program<X>) {
  return async (
    args: readonly string[],
    env: Environment,
    { out, err } = standardOutput,
  ): Promise<number> => {
    try {
      if (args.includes('--help') || args.includes('-h')) {
        const found = findCommand(program, args).command;
        const forms = (found ? [found] : program.commands).flatMap((one) => formsOf(program, one));
        for (const line of ['Usage:', ...forms]) out(line);
        return 0;
      }
      const { command, options, isJson } = readCall(program, args);
      const report = await program.withContext(env, err, (ctx) => run(program, ctx, { command, options }));
      for (const line of isJson ? [JSON.stringify(report.json)] : report.lines) out(line);
      return 0;
    } catch (error) {
      if (!(error instanceof Error)) throw error;
      err(withoutSecrets(error.message));
      return error instanceof UsageError || error instanceof ConfigError ? 2 : 1;
    }
  };
}

async function run<X>(
  { recordIn }: Program<X>,
  ctx: X,
  { command, options }: { command: Command<X>; options: Values },
): Promise<Report> {
  if (!recordIn) return await command.run(ctx, options);
  const { clock, add } = recordIn(ctx);
  return await recordCommand({ words: command.words, at: clock.now(), add }, () => command.run(ctx, options));
}

/** Runs a program of commands as this process. */
export async function runCommands(
  run: ReturnType<typeof operatorProgram>,
  output = standardOutput,
): Promise<void> {
  guardOutput({
    onWarning: ({ message }) => output.err(`Node.js warning: ${withoutSecrets(message)}`),
    onFatal: ({ message }) => output.err(withoutSecrets(message)),
  });
  process.exitCode = await run(process.argv.slice(2), process.env, output);
  if (process.exitCode !== 0) endSoon();
}

function findCommand<X>({ name, commands }: Program<X>, args: readonly string[]) {
  const words = name !== undefined && args[0] === name ? args.slice(1) : args;
  const command = commands.find((candidate) => wordsOf(candidate).every((word, i) => words[i] === word));
  return { command, words };
}

function formsOf<X>({ name }: Program<X>, { form: forms, words }: Command<X>): string[] {
  return [forms].flat().map((form) => {
    const call = [name, words, form].filter(Boolean).join(' ');
    return `  npm run admin -- ${call} [--json]`;
  });
}

function readCall<X>(program: Program<X>, args: readonly string[]) {
  const { command, words } = findCommand(program, args);
  if (!command) {
    const all = program.commands.flatMap((one) => formsOf(program, one));
    throw new UsageError(`Give a command:\n${all.join('\n')}`);
  }
  const read = readOptions(command, words.slice(wordsOf(command).length));
  if (read.fault === undefined) return { command, ...read };
  const forms = formsOf(program, command);
  const title = forms.length === 1 ? 'Correct form' : 'Correct forms';
  throw new UsageError(command.usage ?? `${read.fault}\n${title}:\n${forms.join('\n')}`);
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
    return { fault: error instanceof Error ? error.message : 'unknown argument' };
  }
  const extra = parsed.positionals[positionals.length];
  if (extra !== undefined) return { fault: `Unexpected argument: ${extra}` };
  const positional = parsed.positionals.map((value, i) => [positionals[i], value] as const);
  const { json, ...values } = { ...parsed.values, ...Object.fromEntries(positional) };
  const read = schema.safeParse(values, { error: faultTexts });
  if (read.success) return { options: read.data, isJson: json === true };
  const sentences = read.error.issues.map(({ path: [key = ''], message }) => {
    const name = String(key);
    if (positionals.includes(name)) return message === requiredText ? `Give the ${name}.` : message;
    return name in values ? `--${name} ${message}` : `--${name} is missing`;
  });
  return { fault: sentences.join('; ') };
}

function isBoolean(schema: z.core.$ZodType): boolean {
  const { type, innerType } = schema._zod.def as { type: string; innerType?: z.core.$ZodType };
  return type === 'boolean' || (innerType !== undefined && isBoolean(innerType));
}
