/** How soon a change is seen: the schedule in simulated time, against the public flows (docs/adr/0040). No servers. */
import { numberOptions, say, table } from './kit/cli.ts';
import { randomFrom } from './kit/random.ts';
import { readFlows } from './monitor-freshness/flows.ts';
import { formerClasses } from './monitor-freshness/former-classes.ts';
import { historiesOf } from './monitor-freshness/histories.ts';
import { bucketPolicy, optimalPolicy, type Policy, uniformPolicy } from './monitor-freshness/policies.ts';
import { type Result, simulate } from './monitor-freshness/simulate.ts';

const aims = { ratio: 0.67, used: 0.97 };
/** Receipts and requests a day. */
const deployments = [
  [1_000, 10_000],
  [10_000, 10_000],
  [50_000, 10_000],
  [100_000, 400_000],
  [360_000, 400_000],
  [1_000_000, 400_000],
] as const;

/** Each deployment is simulated with `receipts` receipts, and as many requests per receipt as it has. */
const options = numberOptions({ receipts: 20_000, days: 70, from: 14, seed: 1 });
const cells = readFlows();
const share = 0.15;

say(`# monitor freshness: ${options.receipts} simulated receipts, days ${options.from} to ${options.days}`);
const compared = deployments.flatMap(([receipts, quota]) => compare(receipts, quota));
table(compared.map(({ row }) => row));
const judged = compared.filter(({ row }) => row.policy === 'buckets');
const isMet = judged.every(({ ratio, used }) => ratio <= aims.ratio && used >= aims.used);
say(`aims for buckets: ÷ uniform ≤ ${aims.ratio}, ≥ ${aims.used * 100} % of the quota used`);
say(isMet ? 'all aims met' : 'NOT all aims met');
process.exitCode = isMet ? 0 : 1;

function compare(receipts: number, quotaPerDay: number) {
  const daily = Math.round((quotaPerDay / receipts) * options.receipts);
  const input = { cells, perDay: daily };
  const policies: Policy[] = [
    uniformPolicy(),
    formerClasses(input),
    bucketPolicy(input, false),
    bucketPolicy(input, true),
    optimalPolicy(input),
  ];
  const random = randomFrom(options.seed);
  const histories = historiesOf(cells, { ...options, random });
  const results = policies.map((policy) => {
    const quota = { daily, share, max: 2 * share };
    return simulate({ policy, histories, quota, days: options.days, fromDay: options.from });
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
