/** `npm run chaos -- --seed N --faults M`. Exit code 0: every promise held; 1: a violation; 2: a failure of this program. */
import { mkdtemp } from 'node:fs/promises';
import { freemem, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { endGuard } from '@casewatch/dev/servers';
import { keyHeaders, mailsTo, send, until } from '@casewatch/driver';
import { tempFolder } from '@casewatch/testing';
import { seededRandom } from '../../testing/src/seeded-random.ts';
import { check, describeFault, limitHere, type Verdict } from './check.ts';
import { allReady, createNemesis, type Fault, type Nemesis } from './faults.ts';
import { type FaultRecord, type Ledgers, newLedgers, stepIn } from './ledgers.ts';
import { type Load, ratesAtOne, startLoad } from './load.ts';
import { runMutants } from './mutants.ts';
import { startSystem, type System } from './system.ts';

const USAGE = `npm run chaos -- [--seed N] [--faults M] [--together K] [--rate 1] [--only text] [--keep] | --mutants [--only text]
  --seed    the same faults in the same order (default 1)
  --faults  how many (default 20)
  --together  how many of them happen at the same time, on different things (default 1)
  --rate    factor on the load; 1: ${ratesAtOne.changes} changes, 5 creations, 1 of everything else a second, an import each 20 s
  --only    faults (or mutants) whose name has this text
  --keep    leaves the folder with data and logs
  PORT_BASE (default 15400) in the environment
  Ctrl-C: no further fault, then the verdict; again: stops without one`;

const recoveryMs = 120_000;
/** Load after the quiet minute and before the first fault: what was held is sent. */
const calmMs = 15_000;
/** How much longer a fault is held that nothing has met. */
const unmetMs = 30_000;
/** The terminal and the program above, which passes signals on, both send one Ctrl-C. */
const oneCtrlCMs = 1_000;
const neededGiB = 5;
const notRunCode = 3;

const say = (text: string): void => console.log(`${new Date().toISOString().slice(11, 19)}  ${text}`);

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      seed: { type: 'string', default: '1' },
      faults: { type: 'string', default: '20' },
      together: { type: 'string', default: '1' },
      rate: { type: 'string', default: '1' },
      only: { type: 'string', default: '' },
      keep: { type: 'boolean', default: false },
      mutants: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) {
    console.log(USAGE);
    return 0;
  }
  if (values.mutants) return await runMutants(values.only, say);
  const [seed, faults, together] = [values.seed, values.faults, values.together].map(Number) as [
    number,
    number,
    number,
  ];
  const rate = Number(values.rate);
  if (![seed, faults, together].every(Number.isInteger) || faults < 0 || together < 1 || !(rate > 0))
    throw new Error(USAGE);
  if (freemem() < neededGiB * 1024 ** 3 && !process.env.CHAOS_ANY_MEMORY) {
    say(`NOT RUN HERE: a run needs ${neededGiB} GiB of free memory`);
    return notRunCode;
  }

  const temporary = values.keep ? undefined : await tempFolder();
  const folder = temporary?.path ?? (await mkdtemp(join(tmpdir(), 'casewatch-chaos-')));
  const portBase = Number(process.env.PORT_BASE ?? 15_400);
  const checksPerSecond = Math.max(10, ratesAtOne.changes * rate * 4);
  let starting: Promise<System> | undefined;
  let load: Load | undefined;
  const stop = async () => {
    load?.end();
    say(values.keep ? `stopping; data and logs stay in ${folder}` : 'stopping');
    // What is still starting is stopped when it has started; a start that fails stops itself.
    const started = await starting?.catch(() => undefined);
    await started?.stop();
    await temporary?.remove();
    await endGuard();
  };
  const stopNow = () => void stop().finally(() => process.exit(2));
  process.once('SIGTERM', stopNow);
  let isEnding = false;
  let endingSince = 0;
  process.on('SIGINT', () => {
    if (!isEnding) {
      isEnding = true;
      endingSince = performance.now();
      say('no further fault; another Ctrl-C stops without a verdict');
    } else if (performance.now() - endingSince > oneCtrlCMs) stopNow();
  });
  try {
    starting = startSystem({ folder, portBase, say, checksPerSecond });
    const system = await starting;
    const ledgers = newLedgers();
    console.log(JSON.stringify(introduction(system, seed)));
    load = await startLoad({ system, ledgers, seed, rate });
    const nemesis = createNemesis({ system, load, ledgers, random: seededRandom(seed) });
    await recovered({ system, load, ledgers });
    say('the load runs, and a change is told; the faults begin after the quiet minute');
    await delay(system.quiet.until + calmMs - Date.now());
    while (ledgers.faults.length < faults && !isEnding) {
      const most = Math.min(together, faults - ledgers.faults.length);
      await strike({ faults: nemesis.next(most, values.only), system, load, ledgers });
    }
    say('no more faults; the load ends');
    await load.stop();
    say('waiting for rest');
    const verdict = await check({ system, load, ledgers });
    report({ ledgers, nemesis, verdict, seed });
    return ledgers.violations.length > 0 ? 1 : Number(process.exitCode ?? 0);
  } finally {
    await stop();
  }
}

/** One JSON line: all that somebody needs to break more things during the run. */
function introduction(
  { addresses, gatewayUrls, partners, members, natsUrls, folder, mongoUrl }: System,
  seed: number,
) {
  return {
    seed,
    ...addresses,
    mongodb_url: mongoUrl(''),
    nats_url: natsUrls.join(','),
    gateway_urls: gatewayUrls,
    partners,
    folder,
    members: members.map(({ name, pid, port }) => ({ name, pid: pid(), port })),
  };
}

type Strike = { faults: readonly Fault[]; system: System; load: Load; ledgers: Ledgers };

/** Lets the faults happen together, and waits until a new change is told again. */
async function strike({ faults, system, load, ledgers }: Strike): Promise<void> {
  const records = faults.map((fault, i): FaultRecord => {
    const number = ledgers.faults.length + i + 1;
    return { number, kind: fault.kind, targets: fault.targets, startedAt: Date.now() };
  });
  ledgers.faults.push(...records);
  await Promise.all(records.map((record, i) => endure(record, faults[i] as Fault)));
  const recoveredMs = await recovered({ system, load, ledgers });
  if (recoveredMs === null)
    ledgers.violations.push({
      promise: 'rest',
      text: `a change was not told within ${recoveryMs / 1_000} s after ${faults.map(({ kind }) => kind).join(' and ')}`,
      story: records.map(describeFault),
    });
  for (const record of records) {
    record.recoveredMs = recoveredMs ?? recoveryMs;
    say(`${describeFault(record)}; recovered after ${(record.recoveredMs / 1_000).toFixed(1)} s`);
  }
}

/** Injects, holds, heals and proves. */
async function endure(record: FaultRecord, fault: Fault): Promise<void> {
  say(`fault ${record.number}: ${fault.kind} on ${fault.targets.join(', ')}`);
  try {
    await fault.inject();
    await delay(fault.holdMs);
    const isMet = fault.isMet?.bind(fault);
    if (isMet)
      await until(isMet, { timeoutMs: unmetMs, intervalMs: 500, what: 'something that meets the fault' });
  } catch (err) {
    // Something else is still away, for example: it is healed, and counts if it had an effect.
    say(
      `fault ${record.number} could not be injected whole: ${err instanceof Error ? err.message : String(err)}`,
    );
  }
  await fault.heal();
  record.healedAt = Date.now();
  record.effect = await fault.effect();
}

/**
 * Changes the status of one receipt and waits until a mail, a webhook and both gateways tell it, and all services say that they are
 * ready. @returns the ms that this took; null: not in time
 */
async function recovered({ system, load, ledgers }: Omit<Strike, 'faults'>): Promise<number | null> {
  const [from, began] = [Date.now(), performance.now()];
  const left = () => limitHere(recoveryMs, ledgers, from) - (performance.now() - began);
  const { receipt, email } = load.probe;
  const step = await load.change(receipt);
  const keys = system.partners[0];
  const as = keys ? keyHeaders(keys) : {};
  const isTold = async (gateway_url: string): Promise<boolean> => {
    const path = `/v1/client/cases?receipt_number=${receipt}`;
    type Found = { cases: { id: number; latest_update: { id: number; status_code: string } | null }[] };
    const { status, body } = await send<Found>({ gateway_url }, 'GET', { as, path });
    const [found] = status === 200 ? body.cases : [];
    const update = found?.latest_update;
    if (found === undefined || !update || stepIn(update.status_code) !== step) return false;
    type Told = { deliveries: { status_update_id: number; status: string }[] };
    const told = await send<Told>({ gateway_url }, 'GET', {
      as,
      path: `/v1/client/cases/${found.id}/deliveries`,
    });
    if (told.status !== 200) return false;
    const calls = told.body.deliveries.filter((one) => one.status_update_id === update.id);
    return calls.length > 0 && calls.every((one) => one.status === 'delivered');
  };
  const isMailed = async () =>
    (await mailsTo(system.addresses, email)).some(({ text }) => stepIn(text ?? '') === step);
  for (const ask of [isMailed, ...system.gatewayUrls.map((url) => () => isTold(url))])
    while (!(await ask().catch(() => false))) {
      if (left() < 0) return null;
      await delay(200);
    }
  await allReady(system, Math.max(1_000, left()));
  return performance.now() - began;
}

type Report = { ledgers: Ledgers; nemesis: Nemesis; verdict: Verdict; seed: number };

function report({ ledgers, nemesis, verdict, seed }: Report): void {
  const { faults, violations, done, failedCalls } = ledgers;
  const kinds = [...new Set(faults.map(({ kind }) => kind))].sort();
  console.log(`\n${'fault'.padEnd(52)} tried  with effect  recovered after, s (median, longest)`);
  for (const kind of kinds) {
    const tried = faults.filter((fault) => fault.kind === kind);
    const withEffect = tried.filter(({ effect }) => effect);
    const seconds = withEffect
      .map(({ recoveredMs = 0 }) => recoveredMs / 1_000)
      .sort((one, other) => one - other);
    const median = seconds[Math.floor(seconds.length / 2)]?.toFixed(1) ?? '–';
    console.log(
      `${kind.padEnd(52)} ${String(tried.length).padStart(5)}  ${String(withEffect.length).padStart(11)}  ${median.padStart(8)} ${(seconds.at(-1)?.toFixed(1) ?? '–').padStart(8)}`,
    );
  }
  const effective = faults.filter(({ effect }) => effect).length;
  console.log(`${'all'.padEnd(52)} ${String(faults.length).padStart(5)}  ${String(effective).padStart(11)}`);
  for (const [kind, reason] of nemesis.missing) console.log(`NOT RUN HERE: ${kind} (${reason})`);

  if (nemesis.effects.size > 0) {
    console.log(`\n${'side effect (its process was killed before the answer)'.padEnd(64)} killed   seen`);
    for (const [effect, { seen, killed }] of [...nemesis.effects].sort())
      console.log(`${effect.padEnd(64)} ${String(killed).padStart(6)} ${String(seen).padStart(6)}`);
  }

  const seconds = (ledgers.loadEndedAt - ledgers.startedAt) / 1_000;
  console.log(`\n${'load'.padEnd(52)} done   a second   p50, ms   p95, ms`);
  for (const [what, durations] of [...done].sort()) {
    const sorted = durations.toSorted((one, other) => one - other);
    const at = (part: number) =>
      String(Math.round(sorted[Math.floor(sorted.length * part)] ?? 0)).padStart(9);
    console.log(
      `${what.padEnd(52)} ${String(sorted.length).padStart(5)}  ${(sorted.length / seconds).toFixed(2).padStart(8)} ${at(0.5)} ${at(0.95)}`,
    );
  }
  const creations = ['create user', 'create case'].reduce(
    (sum, what) => sum + (done.get(what)?.length ?? 0),
    0,
  );
  console.log(`creations together: ${(creations / seconds).toFixed(2)} a second`);
  const late = ledgers.noise.map(({ ms }) => ms).sort((one, other) => one - other);
  const lateAt = (part: number) => Math.round(late[Math.floor(late.length * part)] ?? 0);
  console.log(
    `a request to a bare server of this machine: p50 ${lateAt(0.5)} ms, p95 ${lateAt(0.95)} ms, longest ${Math.round(late.at(-1) ?? 0)} ms`,
  );
  console.log(`people who could not sign in within 100 s: ${ledgers.givenUp}`);
  const refusals = Map.groupBy(failedCalls, ({ status, code }) => `${status} ${code}`);
  for (const [answer, calls] of refusals) {
    const by = [...Map.groupBy(calls, ({ what }) => what)].map(([what, list]) => `${what} ${list.length}`);
    console.log(`refused: ${String(calls.length).padStart(5)} × ${answer} (${by.join(', ')})`);
  }

  console.log(`\n${JSON.stringify({ seed, faults: faults.length, effective, ...verdict })}`);
  const byPromise = Map.groupBy(violations, ({ promise }) => promise);
  for (const [promise, list] of byPromise) console.log(`${promise}: ${list.length} violations`);
  const shown = [...byPromise.values()].flatMap((list) => list.slice(0, 12));
  for (const { promise, text, story } of shown) {
    console.log(`\nVIOLATION of ${promise} (seed ${seed}): ${text}`);
    for (const line of story) console.log(`    ${line}`);
  }
  if (violations.length === 0) console.log('0 violations of I1 to I8');
}

try {
  process.exitCode = await main();
} catch (err) {
  console.error(err instanceof Error ? err.stack : err);
  process.exitCode = 2;
}
process.exit();
