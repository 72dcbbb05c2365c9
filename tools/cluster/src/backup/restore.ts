import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { deleteEventStreams } from '@casewatch/platform';
import { kubectl, list } from '../verify/kubectl.ts';
import { rolledOut } from '../verify/rolled-out.ts';
import { eraseAgain, readErasedUsers } from './erased-users.ts';
import { inMongo, primary, scale } from './members.ts';
import { withOperator } from './operator-bus.ts';
import { putBack } from './put-back.ts';

type Deployment = { metadata: { name: string }; spec: { replicas: number } };
type Say = (line: string) => void;

/** They come first: one declares the streams, the other one knows the users. */
const first = ['streams', 'identity'];
/** Every user, case and receipt is written once. */
const raiseMs = 60 * 60_000;
const counters = join(import.meta.dirname, '../../../../deploy/raise-counters.js');

/**
 * Puts a backup back while every service stands still (docs/operations.md). What was written since the backup is gone, except
 * that users who were deleted since are deleted again. Streams are made again from the outboxes, so what was in flight is
 * handled again. `putDataBack`: another way than the backup's files.
 */
export async function restore(
  folder: string,
  say: Say,
  putDataBack: (folder: string, say: Say) => Promise<void> = putBack,
): Promise<void> {
  const services = await list<Deployment>('deployments');
  const names = services.map(({ metadata }) => metadata.name);
  say('stopping the services …');
  for (const name of names) await scale(`deployment/${name}`, 0);
  const pods = `--selector=app.kubernetes.io/name in (${names.join(',')})`;
  await kubectl(['wait', 'pod', pods, '--for=delete', '--timeout=300s']);
  const erased = await readErasedUsers(folder, say);
  await putDataBack(folder, say);
  say(await inMongo(await primary(), await readFile(counters, 'utf8'), raiseMs));
  say(`deleting streams: ${(await withOperator(deleteEventStreams)).join(', ') || 'none is left'}`);
  say('starting the services …');
  const start = async (starting: (name: string) => boolean) => {
    for (const { metadata, spec } of services.filter(({ metadata }) => starting(metadata.name)))
      await scale(`deployment/${metadata.name}`, Math.max(1, spec.replicas));
  };
  await start((name) => first.includes(name));
  await kubectl(['rollout', 'status', 'deployment/identity', '--timeout=600s']);
  await eraseAgain(erased, say);
  await start((name) => !first.includes(name));
  await rolledOut(600_000, say);
}
