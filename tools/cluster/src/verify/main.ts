/**
 * npm run verify:cluster [-- --fresh] [-- --from <commit>] [-- name …]: the promises of the deployment, on the cluster that kubectl is set
 * to. Without names all of them; --fresh deletes the namespace `casewatch` and what it holds first;
 * --from names the commit that `release-roll` rolls from, in place of the last release.
 */
import { parseArgs } from 'node:util';
import type { Check } from './check.ts';
import { applies, comesUp, noWarnings } from './checks/apply.ts';
import { backupAndRestore } from './checks/backup.ts';
import { certificates } from './checks/certificates.ts';
import { endToEnd } from './checks/end-to-end.ts';
import { forbiddenFlows } from './checks/forbidden-flows.ts';
import { busLeader, databasePrimary } from './checks/leaders.ts';
import { podKills } from './checks/pod-kills.ts';
import { releaseRoll } from './checks/release-roll.ts';
import { rollingRestart } from './checks/rolling-restart.ts';
import { rotations } from './checks/rotations.ts';
import { prepare } from './prepare.ts';
import { createReport } from './report.ts';
import { settingsFrom } from './settings.ts';
import { situationOf } from './situation.ts';

const checks: Check[] = [
  noWarnings,
  comesUp,
  applies,
  forbiddenFlows,
  endToEnd,
  rollingRestart,
  podKills,
  busLeader,
  databasePrimary,
  rotations,
  certificates,
  releaseRoll,
  backupAndRestore,
];

try {
  const { values, positionals } = parseArgs({
    options: { fresh: { type: 'boolean', default: false }, from: { type: 'string' } },
    allowPositionals: true,
  });
  const unknown = positionals.filter((name) => !checks.some((check) => check.name === name));
  if (unknown.length > 0)
    throw new Error(
      `There is no check ${unknown.join(', ')}; there are ${checks.map(({ name }) => name).join(', ')}.`,
    );
  const wanted = checks.filter(({ name }) => positionals.length === 0 || positionals.includes(name));
  const settings = settingsFrom(process.env, values.from);
  const situation = situationOf(settings);
  await prepare(settings, { fresh: values.fresh, say: situation.say });
  const report = createReport();
  for (const check of wanted) await report.add(check, situation);
  report.print();
  process.exitCode = report.isGood() ? 0 : 1;
} catch (err) {
  console.error(err instanceof Error ? err.message : String(err));
  process.exitCode = 2;
}
// Keep-alive connections of the load would hold the process for a while.
process.exit();
