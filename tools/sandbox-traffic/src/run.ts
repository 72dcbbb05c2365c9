import { readFile, writeFile } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { z } from 'zod';
import { consecutiveDays, type Day, type Days, type Plan, reportLines, requestsOf } from './report.ts';
import { trafficReceipt } from './staging-receipts.ts';
import { createUscis, uscisSettings } from './uscis.ts';

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

/** Wait after an answer that does not count (closed, rate limited, failed), and while a day is complete. */
const idleMs = 60_000;

/** Sends the traffic until all days are complete, or prints the report. Progress is kept in a file. */
export async function run(
  args: string[],
  env: Readonly<Record<string, string | undefined>>,
  print: (line: string) => void,
): Promise<void> {
  const { file, report, ...options } = settings.parse(parseArgs({ args, options: flags }).values);
  const plan = { days: options.days, perDay: options['per-day'] };
  const days = await readDays(file);
  if (!report) await send({ plan, days, file, everyMs: options['every-seconds'] * 1_000, env, print });
  for (const line of reportLines(plan, days)) print(line);
}

type Sending = {
  plan: Plan;
  days: Days;
  file: string;
  everyMs: number;
  env: Readonly<Record<string, string | undefined>>;
  print: (line: string) => void;
};

async function send({ plan, days, file, everyMs, env, print }: Sending): Promise<void> {
  const ask = createUscis(uscisSettings.parse(env));
  while (consecutiveDays(plan, days) < plan.days) {
    const now = new Date();
    const date = dateOf(now);
    const sent = requestsOf(days[date]);
    let waitMs = idleMs;
    if (sent < plan.perDay) {
      const status = await ask(trafficReceipt(sent)).catch((error: unknown) => print(String(error)));
      if (status === 200 || status === 404 || status === 422) {
        days[date] = withAnswer(days[date], status, now.toISOString());
        await writeFile(file, JSON.stringify(days, null, 2));
        waitMs = everyMs;
      } else if (status !== undefined)
        print(`USCIS answered ${status}; the next request follows in a minute.`);
    }
    if (consecutiveDays(plan, days) < plan.days) await delay(waitMs);
  }
}

function withAnswer(day: Day | undefined, status: number, at: string): Day {
  const statuses = { ...day?.statuses, [status]: (day?.statuses[status] ?? 0) + 1 };
  return { statuses, first_at: day?.first_at ?? at, last_at: at };
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
