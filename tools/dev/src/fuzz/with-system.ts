import { resolve } from 'node:path';
import { dataDirAt } from '../data-dir.ts';
import { type DevFile, devFileOfRunning } from '../dev-files.ts';
import { type SystemOptions, withOwnSystem } from '../own-system.ts';

/**
 * Does `work` on the running system that CASEWATCH_DATA names; without that, on one of its own.
 * @throws Problem where there is none, or where it does not start
 */
export async function withSystem<T>(options: SystemOptions, work: (dev: DevFile) => Promise<T>): Promise<T> {
  const { env, say } = options;
  if (!env.CASEWATCH_DATA) return await withOwnSystem(options, work);
  const dev = devFileOfRunning(dataDirAt(resolve(env.CASEWATCH_DATA)));
  say(`Using the running system at ${dev.gateway_url}; its data will be a mess afterwards.`);
  return await work(dev);
}
