import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isDemonstration } from '../kit/demonstration.ts';

type Origin = { namespace: string; demonstration: boolean };

const fileName = 'origin.json';

/** Notes beside a backup where its data come from. @returns the folder @throws Error if there is no such namespace */
export async function keepOrigin(folder: string, namespace: string): Promise<string> {
  const origin: Origin = { namespace, demonstration: await demonstrationOrNot(namespace) };
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await writeFile(join(folder, fileName), `${JSON.stringify(origin)}\n`, { mode: 0o600 });
  return folder;
}

/** @throws Error if demonstration and production would meet: nothing was changed then */
export async function refuseOtherOrigin(folder: string, namespace: string): Promise<void> {
  const text = await readFile(join(folder, fileName), 'utf8').catch(() => {
    throw new Error(`${folder} has no ${fileName}: it is not the folder of a backup.`);
  });
  const origin = JSON.parse(text) as Origin;
  const isDemo = await demonstrationOrNot(namespace);
  if (origin.demonstration === isDemo) return;
  const kind = (demonstration: boolean) => (demonstration ? 'the demonstration' : 'not the demonstration');
  throw new Error(
    `The backup is of ${origin.namespace}, which is ${kind(origin.demonstration)}; ${namespace} is ${kind(isDemo)}. Nothing was changed.`,
  );
}

async function demonstrationOrNot(namespace: string): Promise<boolean> {
  const answer = await isDemonstration(namespace);
  if (answer === null) throw new Error(`There is no namespace ${namespace} in kubectl's cluster.`);
  return answer;
}
