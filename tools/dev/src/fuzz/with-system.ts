import { resolve } from 'node:path';
import { dataDirAt } from '../data-dir.ts';
import { type DevFile, devFileOfRunning } from '../dev-files.ts';
import { type SystemOptions, withOwnSystem } from '../own-system.ts';

/** Uses the running system of CASEWATCH_DATA, else a new system. */
export async function withSystem<T>(options: SystemOptions, work: (dev: DevFile) => Promise<T>): Promise<T> {
  const { env, say } = options;
  if (!env.CASEWATCH_DATA) return await withOwnSystem(options, work);
  const dev = devFileOfRunning(dataDirAt(resolve(env.CASEWATCH_DATA)));
  say(`Using the running system at ${dev.gateway_url}; its data will be a mess afterwards.`);
  return await work(dev);
}
