/** How soon a change is seen: the schedule in simulated time, against the public flows (docs/adr/0040). No servers. */
import { numberOptions, say, table } from './kit/cli.ts';
import { randomFrom } from './kit/random.ts';
import { readFlows } from './monitor-freshness/flows.ts';
import { formerClasses } from './monitor-freshness/former-classes.ts';
import { historiesOf } from './monitor-freshness/histories.ts';
import { bucketPolicy, optimalPolicy, type Policy, uniformPolicy } from './monitor-freshness/policies.ts';
import { type Result, simulate } from './monitor-freshness/simulate.ts';

const aims = { ratio: 0.67, used: 0.97 };
/** Receipts, requests a day, and simulated receipts in units of `--receipts`: more where a receipt has few requests. */
const deployments = [
  [1_000, 10_000, 1],
  [10_000, 10_000, 1],
  [50_000, 10_000, 2.5],
  [100_000, 400_000, 1],
  [360_000, 400_000, 1],
  [1_000_000, 400_000, 2.5],
] as const;

const options = numberOptions({ receipts: 20_000, days: 70, from: 14, seed: 1 });
const cells = readFlows();
const share = 0.15;
/** Judged policies: rates counted before each check, and rates counted before the judged days. */
const product = 'buckets';
const frozen = `buckets, rates of day ${options.from}`;
/** In this time each receipt is checked: the longest interval is 30 days. */
const seenAfterDays = 35;

say(
  `# monitor freshness: ${options.receipts} simulated receipts or more, days ${options.from} to ${options.days}`,
);
const compared = deployments.flatMap(compare);
table(compared.map(({ row }) => row));
const judged = compared.filter(({ row }) => row.policy === product || row.policy === frozen);
const isMet = judged.every(({ ratio, used }) => ratio <= aims.ratio && used >= aims.used);
say(
  `aims for "${product}" and "${frozen}": ÷ uniform ≤ ${aims.ratio}, ≥ ${aims.used * 100} % of the quota used`,
);
say(isMet ? 'all aims met' : 'NOT all aims met');
process.exitCode = isMet ? 0 : 1;

function compare([receipts, quotaPerDay, units]: (typeof deployments)[number]) {
  const simulated = Math.round(options.receipts * units);
  const daily = Math.round((quotaPerDay / receipts) * simulated);
  const input = { cells, perDay: daily };
  const policies: Policy[] = [
    uniformPolicy(),
    formerClasses(input),
    bucketPolicy(input, 'buckets, public rates', 0),
    bucketPolicy(input, frozen, options.from),
    bucketPolicy(input, product, Number.POSITIVE_INFINITY),
    optimalPolicy(input),
  ];
  const random = randomFrom(options.seed);
  const histories = historiesOf(cells, { receipts: simulated, days: options.days + seenAfterDays, random });
  const results = policies.map((policy) => {
    const quota = { daily, share, max: 2 * share };
    return simulate({ policy, histories, quota, from: options.from, to: options.days, learners: receipts });
  });
  const uniform = meanOf(results[0]?.delays ?? []);
  return policies.map(({ name }, i) => rowOf(`${receipts} / ${quotaPerDay}`, name, results[i], uniform));
}

function rowOf(deployment: string, policy: string, result: Result | undefined, uniform: number) {
  const delays = Float64Array.from(result?.delays ?? []).sort();
  const used = result?.used ?? 0;
  const at = (quantile: number) => (delays[Math.floor(delays.length * quantile)] ?? 0).toFixed(2);
  const mean = meanOf(delays);
  const ratio = mean / uniform;
  const row = {
    'receipts / quota': deployment,
    policy,
    changes: delays.length,
    'mean h': mean.toFixed(2),
    'p50 h': at(0.5),
    'p95 h': at(0.95),
    '÷ uniform': ratio.toFixed(3),
    'quota used': `${(used * 100).toFixed(1)} %`,
  };
  return { row, ratio, used };
}

function meanOf(values: ArrayLike<number>): number {
  return Array.from(values).reduce((sum, value) => sum + value, 0) / values.length;
}
