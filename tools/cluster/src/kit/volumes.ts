import { currentNamespace, kubectl } from './kubectl.ts';
import { runOrThrow } from './run.ts';
import { until } from './wait.ts';

type Volume = {
  metadata: { name: string };
  spec: { claimRef?: { namespace?: string }; persistentVolumeReclaimPolicy?: string };
};

/** The volumes that claims of the namespace had or have. */
async function volumes(): Promise<Volume[]> {
  const text = await kubectl(['get', 'persistentvolumes', '--output', 'json']);
  const { items } = JSON.parse(text) as { items: Volume[] };
  return items.filter(({ spec }) => spec.claimRef?.namespace === currentNamespace());
}

const namesOf = (all: readonly Volume[]) => all.map(({ metadata }) => metadata.name).toSorted();

/**
 * After the namespace is gone: waits for the volumes that free themselves, and has the command free the others, whose names it gets.
 * Otherwise the next start would wait for volumes, or find the data of the last one.
 * @throws Error that names the volumes that are left
 */
export async function freeVolumes(command: string | undefined, say: (line: string) => void): Promise<void> {
  const freeThemselves = async () =>
    (await volumes()).every(({ spec }) => spec.persistentVolumeReclaimPolicy === 'Retain');
  await until(freeThemselves, { what: 'the deletion of the volumes', timeoutMs: 120_000 });
  const kept = namesOf(await volumes());
  if (kept.length === 0) return;
  if (command !== undefined) {
    say(`freeing the volumes ${kept.join(', ')} …`);
    await runOrThrow('sh', ['-c', `${command} ${kept.join(' ')}`]);
  }
  const left = namesOf(await volumes());
  if (left.length > 0)
    throw new Error(
      `The volumes ${left.join(', ')} still have the data of ${currentNamespace()}: set AFTER_DELETE to a command that empties the volumes it gets the names of, and removes their claimRef.`,
    );
}
