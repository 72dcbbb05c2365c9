/**
 * npm run verify:cluster [-- --fresh] [-- --from <commit>] [-- name …]: checks the deployment on kubectl's cluster, all
 * checks or those named. --fresh deletes the namespace of the demonstration first. No option makes it touch another one. --from is the commit that `release-roll` rolls from.
 */
import { parseArgs } from 'node:util';
import { checkDemonstration, deleteDemonstration, ensureDemonstration } from '../kit/demonstration.ts';
import { demoNamespace } from '../kit/kubectl.ts';
import { imagesOf, loadImages as load } from '../kit/manifest-images.ts';
import { freeVolumes } from '../kit/volumes.ts';
import { type Check, contextOf, runChecks } from './check.ts';
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
import { DEMO_NAMESPACE_FILE, DEPLOY, type Settings, settingsFrom } from './settings.ts';

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
  const chosen = checks.filter(({ name }) => positionals.length === 0 || positionals.includes(name));
  const settings = settingsFrom(process.env, values.from);
  const context = contextOf(settings);
  await prepare(settings, values.fresh, context.say);
  process.exitCode = (await runChecks(chosen, context)) ? 0 : 1;
} catch (err) {
  console.error(err instanceof Error ? err.message : String(err));
  process.exitCode = 2;
}
// Keep-alive connections of the load would delay the end.
process.exit();

async function prepare(
  { loadImages, afterDelete }: Settings,
  fresh: boolean,
  say: (line: string) => void,
): Promise<void> {
  await checkDemonstration();
  if (loadImages) {
    const images = await imagesOf(DEPLOY);
    say(`loading ${images.length} images …`);
    await load(loadImages, images);
  }
  if (fresh) {
    say(`deleting the namespace ${demoNamespace} …`);
    await deleteDemonstration();
    await freeVolumes(afterDelete, say);
  }
  await ensureDemonstration(DEMO_NAMESPACE_FILE);
}
