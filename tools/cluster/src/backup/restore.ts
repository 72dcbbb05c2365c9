import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { deleteEventStreams } from '@casewatch/platform';
import { kubectl, list } from '../kit/kubectl.ts';
import { rolledOut, waitForRollout } from '../kit/rollouts.ts';
import { collectErasures, eraseAgain } from './erased-users.ts';
import { inMongo, primary, scale } from './members.ts';
import { withOperator } from './operator-bus.ts';
import { putBack } from './put-back.ts';

type Deployment = { metadata: { name: string }; spec: { replicas: number } };
type Say = (line: string) => void;

/** Started first: `streams` declares the streams, identity erases users again. */
const first = ['streams', 'identity'];
/** Limit for a write of every user, case and receipt. */
const raiseMs = 60 * 60_000;
const counters = join(import.meta.dirname, '../../../../deploy/raise-counters.js');

/**
 * Restores a backup while every service is stopped (docs/operations.md). Later writes are lost, but later erasures of users
 * are applied again, before other services start. `newerFolders` are backups whose files of erasures are read, too. Streams are filled from the outboxes, so events in flight are handled again. `putDataBack` replaces the
 * copying of the backup's files.
 */
export async function restore(
  folder: string,
  say: Say,
  {
    newerFolders = [],
    putDataBack = putBack,
  }: { newerFolders?: readonly string[]; putDataBack?: (folder: string, say: Say) => Promise<void> } = {},
): Promise<void> {
  const services = await list<Deployment>('deployments');
  const names = services.map(({ metadata }) => metadata.name);
  say('stopping the services …');
  for (const name of names) await scale(`deployment/${name}`, 0);
  const pods = `--selector=app.kubernetes.io/name in (${names.join(',')})`;
  await kubectl(['wait', 'pod', pods, '--for=delete', '--timeout=300s']);
  const erased = await collectErasures(folder, newerFolders, say);
  await putDataBack(folder, say);
  say(await inMongo(await primary(), await readFile(counters, 'utf8'), raiseMs));
  say(`deleting streams: ${(await withOperator(deleteEventStreams)).join(', ') || 'none'}`);
  say('starting the services …');
  const start = async (isWanted: (name: string) => boolean) => {
    for (const { metadata, spec } of services.filter(({ metadata }) => isWanted(metadata.name)))
      await scale(`deployment/${metadata.name}`, Math.max(1, spec.replicas));
  };
  await start((name) => first.includes(name));
  await waitForRollout('deployment/identity', 600);
  await eraseAgain(erased, say);
  await start((name) => !first.includes(name));
  await rolledOut(600_000, say);
}
