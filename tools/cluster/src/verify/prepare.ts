import { kubectl, NAMESPACE } from './kubectl.ts';
import { must } from './run.ts';
import { demoImages, type Settings } from './settings.ts';

type Options = { fresh: boolean; say(line: string): void };

/** Brings the images into the cluster, and where asked to empties it of what was there. */
export async function prepare({ loadImages, afterDelete }: Settings, { fresh, say }: Options): Promise<void> {
  await kubectl(['version', '--output', 'json']);
  if (loadImages) {
    say('loading images …');
    await must('sh', ['-c', `${loadImages} ${demoImages().join(' ')}`]);
  }
  if (!fresh) return;
  say(`deleting the namespace ${NAMESPACE} …`);
  await kubectl(['delete', 'namespace', NAMESPACE, '--ignore-not-found', '--timeout=300s']);
  if (afterDelete) await must('sh', ['-c', afterDelete]);
}
