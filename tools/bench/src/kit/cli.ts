import { parseArgs } from 'node:util';

export function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

/** Ends the bench at SIGINT and SIGTERM; its child processes end with it. */
export function exitOnSignals(): void {
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));
}

/** Options of the command line as text, with their defaults: `textOptions({ replicas: '1,2,4' })`. */
export function textOptions<T extends Record<string, string>>(defaults: T): T {
  const options = Object.fromEntries(
    Object.entries(defaults).map(([name, value]) => [name, { type: 'string' as const, default: value }]),
  );
  return parseArgs({ options }).values as T;
}

/** The same for numbers. @throws Error naming the option that is no number from 0 on */
export function numberOptions<T extends Record<string, number>>(defaults: T): T {
  const texts = Object.entries(defaults).map(([name, value]) => [name, String(value)]);
  const values = Object.entries(textOptions(Object.fromEntries(texts))).map(([name, text]) => {
    const value = Number(text);
    if (!(value >= 0)) throw new Error(`--${name} must be a number from 0 on, not ${text}.`);
    return [name, value];
  });
  return Object.fromEntries(values) as T;
}

/** Prints rows as a Markdown table; the first row names the columns. */
export function table(rows: readonly Readonly<Record<string, string | number>>[]): void {
  const columns = Object.keys(rows[0] ?? {});
  say(`| ${columns.join(' | ')} |`);
  say(`|${columns.map(() => '---').join('|')}|`);
  for (const row of rows) say(`| ${columns.map((column) => row[column] ?? '').join(' | ')} |`);
}
