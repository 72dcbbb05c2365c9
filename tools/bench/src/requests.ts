/** What a request costs: the ten most used operations, beside a bare proxy and a bare handler, and another version. */
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { exitOnSignals, say, table } from './kit/cli.ts';
import { pathOf } from './kit/processes.ts';
import { median } from './kit/statistics.ts';
import { type Cost, type Measured, measure, measureIdle } from './requests/measure.ts';
import { type BenchOperation, requests } from './requests/operations.ts';
import { startWorld } from './requests/world.ts';

const { values } = parseArgs({
  options: {
    against: { type: 'string' },
    /** Names of operations, separated by commas. */
    only: { type: 'string', default: Object.keys(requests).join(',') },
    seconds: { type: 'string', default: '3' },
    rate: { type: 'string', default: '40' },
    connections: { type: 'string', default: '16' },
  },
});
const operations = values.only.split(',') as BenchOperation[];
const unknown = operations.filter((name) => !Object.hasOwn(requests, name));
if (unknown.length > 0)
  throw new Error(`--only knows ${Object.keys(requests).join(', ')}; not ${unknown.join(', ')}.`);
const options = {
  seconds: Number(values.seconds),
  rate: Number(values.rate),
  connections: Number(values.connections),
};
const services = ['gateway', 'identity', 'cases', 'webhooks'];
const servers = ['mongod', 'nats'];
const floors = ['proxy', 'handler', 'mongod'];

/** `raw`: a page of cases as it comes from the database. */
type Row = { system: Measured; floor: Measured; raw?: Measured };
type Run = { idle: Cost; rows: Map<BenchOperation, Row> };

exitOnSignals();
const own = pathOf('.');
const against = values.against === undefined ? null : resolve(values.against);
const runs = new Map<string, Run[]>([[own, []]]);
// In the order A, B, B, A, a machine that slows down affects both equally.
for (const checkout of against === null ? [own] : [own, against, against, own]) {
  runs.set(checkout, [...(runs.get(checkout) ?? []), await measureAll(checkout)]);
}
for (const [checkout, ofCheckout] of runs) report(checkout, ofCheckout);
if (against !== null) compare(runs.get(own) ?? [], runs.get(against) ?? []);

async function measureAll(checkout: string): Promise<Run> {
  const world = await startWorld(checkout);
  try {
    const idle = await measureIdle(world);
    const rows: Run['rows'] = new Map();
    for (const operation of operations) {
      const floor = await measure(world, { target: world.targets.floor, operation, idle }, options);
      const system = await measure(world, { target: world.targets.system, operation, idle }, options);
      const raw =
        operation === 'list_partner_cases' &&
        (await measure(world, { target: world.targets.raw, operation, idle }, options));
      rows.set(operation, { system, floor, ...(raw && { raw }) });
    }
    return { idle, rows };
  } finally {
    await world.stop();
  }
}

function report(checkout: string, ofCheckout: Run[]): void {
  const idleSum = median(ofCheckout.map(({ idle }) => sum(idle, [...services, ...servers])));
  say(`\n## ${checkout === own ? 'this' : 'against'}: idle ${idleSum.toFixed(0)} ms of CPU a second`);
  table(
    operations.map((operation) => {
      const value = (side: keyof Row, read: (of: Measured) => number) =>
        middleOf(ofCheckout, operation, side, read);
      const costs = (side: keyof Row, names: string[]) =>
        names.map((name) => value(side, ({ cost }) => cost[name] ?? 0).toFixed(2)).join(', ');
      const cpu = value('system', ({ cost }) => sum(cost, [...services, ...servers]));
      const floorCpu = value('floor', ({ cost }) => sum(cost, floors));
      return {
        operation,
        'requests/s, floor': `${value('system', perSecond).toFixed(0)}, ${value('floor', perSecond).toFixed(0)}`,
        [`CPU ms: ${[...services, ...servers].join(', ')}`]: costs('system', [...services, ...servers]),
        sum: cpu.toFixed(2),
        [`floor: ${floors.join(', ')}`]: costs('floor', floors),
        'sum ÷ floor': (cpu / floorCpu).toFixed(2),
        'gateway ÷ proxy': (
          value('system', ({ cost }) => cost.gateway ?? 0) / value('floor', ({ cost }) => cost.proxy ?? 0)
        ).toFixed(2),
        'cases ÷ raw BSON':
          operation === 'list_partner_cases'
            ? (value('system', casesOf) / value('raw', handlerOf)).toFixed(2)
            : '—',
        MongoDB: costs('system', ['MongoDB requests']),
        NATS: costs('system', ['NATS messages']),
        'p50, p99 ms': `${value('system', p50).toFixed(1)}, ${value('system', p99).toFixed(1)}`,
        'p50 ÷ floor': (value('system', p50) / value('floor', p50)).toFixed(2),
      };
    }),
  );
}

function compare(these: Run[], others: Run[]): void {
  say('\n## this ÷ against');
  table(
    operations.map((operation) => {
      const ratio = (read: (of: Measured) => number) =>
        (middleOf(these, operation, 'system', read) / middleOf(others, operation, 'system', read)).toFixed(2);
      return {
        operation,
        'requests/s': ratio(perSecond),
        CPU: ratio(({ cost }) => sum(cost, [...services, ...servers])),
        p50: ratio(p50),
      };
    }),
  );
}

function middleOf(
  of: Run[],
  operation: BenchOperation,
  side: keyof Row,
  read: (of: Measured) => number,
): number {
  return median(of.flatMap(({ rows }) => rows.get(operation)?.[side] ?? []).map(read));
}

function casesOf({ cost }: Measured): number {
  return cost.cases ?? 0;
}

function handlerOf({ cost }: Measured): number {
  return cost.handler ?? 0;
}

function perSecond(measured: Measured): number {
  return measured.perSecond;
}

function p50(measured: Measured): number {
  return measured.p50;
}

function p99(measured: Measured): number {
  return measured.p99;
}

function sum(cost: Cost, names: readonly string[]): number {
  return names.reduce((total, name) => total + (cost[name] ?? 0), 0);
}
