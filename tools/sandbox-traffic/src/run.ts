import { readFile, writeFile } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { z } from 'zod';
import { consecutiveDays, type Days, reportLines, requestsOf } from './report.ts';
import { trafficReceipt } from './staging-receipts.ts';
import { createUscis, uscisSettings } from './uscis.ts';

type Env = Readonly<Record<string, string | undefined>>;
type Print = (line: string) => void;

const settings = z.object({
  days: z.coerce.number().pipe(z.int().min(1).max(31)).default(5),
  'per-day': z.coerce.number().pipe(z.int().min(20).max(1_000)).default(900),
  // 900 requests in 12 hours; the sandbox is open for 13.
  'every-seconds': z.coerce.number().min(0.2).max(3_600).default(48),
  file: z.string().default('sandbox-traffic.json'),
  report: z.boolean().default(false),
});

const text = { type: 'string' } as const;
const flags = {
  days: text,
  'per-day': text,
  'every-seconds': text,
  file: text,
  report: { type: 'boolean' },
} as const;

/** Wait while a day is complete, and after answers that do not count: closed, rate limited, failed. */
const idleMs = 60_000;

/** Sends the traffic until all days are complete, then prints the report. Progress is kept in a file. */
export async function run(args: string[], env: Env, print: Print): Promise<void> {
  const { file, report, ...options } = settings.parse(parseArgs({ args, options: flags }).values);
  const plan = { days: options.days, perDay: options['per-day'] };
  const days = await readDays(file);
  const isDone = () => report || consecutiveDays(plan, days) >= plan.days;
  const ask = report ? null : createUscis(uscisSettings.parse(env));
  while (ask && !isDone()) {
    const now = new Date();
    const date = dateOf(now);
    const day = days[date] ?? { statuses: {}, first_at: now.toISOString(), last_at: '' };
    const sent = requestsOf(day);
    const status = sent < plan.perDay ? await ask(trafficReceipt(sent)).catch(String) : null;
    const isAnswer = status === 200 || status === 404 || status === 422;
    if (isAnswer) {
      day.statuses[status] = (day.statuses[status] ?? 0) + 1;
      day.last_at = now.toISOString();
      days[date] = day;
      await writeFile(file, JSON.stringify(days, null, 2));
    } else if (status !== null) print(`Request failed: ${status}. The next one follows in a minute.`);
    if (!isDone()) await delay(isAnswer ? options['every-seconds'] * 1_000 : idleMs);
  }
  for (const line of reportLines(plan, days)) print(line);
}

/** The date in Washington, where the opening hours of the sandbox lie within one day. */
function dateOf(now: Date): string {
  return new Intl.DateTimeFormat('en-CA', { timeZone: 'America/New_York' }).format(now);
}

async function readDays(file: string): Promise<Days> {
  const json = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return '{}';
    throw error;
  });
  return JSON.parse(json) as Days;
}
