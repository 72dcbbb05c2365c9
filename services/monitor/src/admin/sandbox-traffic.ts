import { setTimeout as delay } from 'node:timers/promises';
import type { Report } from '@casewatch/platform';
import { z } from 'zod';
import { reportTraffic, type TrafficPlan, type TrafficReport } from '../domain/traffic.ts';
import { command } from './command.ts';
import type { AdminContext } from './open-admin.ts';

const followMs = 5_000;
/** Of the day's quota so much is used at most: the rest is for trying things out. */
const mostOfDay = 0.9;

/**
 * The days of sandbox traffic in a row, answers and errors, that production access asks for. The service that runs sends
 * them, within hours, rate and quota; this command orders it, follows it, and may be ended and called again at any time.
 */
export const sandboxTraffic = command({
  words: 'sandbox-traffic',
  options: z.strictObject({
    days: z.coerce.number().pipe(z.int().min(1).max(31)).default(5),
    'per-day': z.coerce.number().pipe(z.int().min(20).max(100_000)).default(900),
    'every-seconds': z.coerce.number().min(0.05).max(3_600).optional(),
    report: z.boolean().default(false),
    stop: z.boolean().default(false),
    restart: z.boolean().default(false),
  }),
  form: '[--days 5] [--per-day 900] [--every-seconds 60] | --report | --stop | --restart',
  async run(admin, flags) {
    const { traffic } = admin.stores;
    if (flags.stop) await traffic.end(admin.clock.now());
    if (flags.stop || flags.report) return await reportNow(admin);
    const known = await traffic.plan();
    if (!known || flags.restart) await traffic.begin(planOf(admin, flags));
    else await traffic.begin({ ...known, stopped_at: null }, { isAnew: false });
    return await follow(admin);
  },
});

type Flags = { days: number; 'per-day': number; 'every-seconds'?: number | undefined };

function planOf({ config, clock }: AdminContext, flags: Flags): TrafficPlan {
  const every = flags['every-seconds'];
  return {
    days: flags.days,
    per_day: Math.min(flags['per-day'], Math.floor(config.USCIS_DAILY_BUDGET * mostOfDay)),
    every_ms: every === undefined ? null : every * 1_000,
    started_at: clock.now(),
    stopped_at: null,
  };
}

/** Says how it gets on until it is done. */
async function follow(admin: AdminContext): Promise<Report> {
  for (let said = ''; ; await delay(followMs)) {
    const { plan, report } = await read(admin);
    if (!plan || report.is_done || plan.stopped_at !== null) return await reportNow(admin);
    const today = report.days.at(-1);
    const line = `${report.consecutive} of ${plan.days} days complete; ${today?.day ?? 'no day yet'}: ${today?.requests ?? 0} of ${plan.per_day}`;
    if (line !== said) admin.say(line);
    said = line;
  }
}

async function read({ stores }: AdminContext): Promise<{ plan: TrafficPlan | null; report: TrafficReport }> {
  const [plan, days] = await Promise.all([stores.traffic.plan(), stores.traffic.days()]);
  const empty = { days: [], consecutive: 0, is_done: false };
  return { plan, report: plan ? reportTraffic(plan, days) : empty };
}

async function reportNow(admin: AdminContext): Promise<Report> {
  const { plan, report } = await read(admin);
  if (!plan) return { json: { plan: null }, lines: ['No sandbox traffic was ordered yet.'] };
  const rows = report.days.map(({ day, requests, results, first_at, last_at, is_complete }) => {
    const what = Object.entries(results).map(([result, count]) => `${result} ${count}`);
    const when = `${first_at.toISOString()} to ${last_at.toISOString()}`;
    return `${day}  ${is_complete ? 'complete  ' : 'incomplete'}  ${requests} requests (${what.join(', ')}), ${when}`;
  });
  return {
    json: { plan, ...report },
    lines: [
      `Sandbox traffic since ${plan.started_at.toISOString()}: ${plan.days} days in a row of ${plan.per_day} requests are wanted.`,
      ...rows,
      report.is_done
        ? `Done: ${report.consecutive} complete days in a row.`
        : `${report.consecutive} complete days in a row so far${plan.stopped_at ? '; stopped' : ''}.`,
    ],
  };
}
