import { rmSync } from 'node:fs';
import type { ServiceName } from '@casewatch/contracts';
import type { DevFile as DriverDevFile } from '@casewatch/driver';
import type { Addresses } from './addresses.ts';
import { CliError } from './cli-error.ts';
import type { DataDir } from './data-dir.ts';
import { readPrivateJson, writePrivateJson } from './private-file.ts';
import type { Settings } from './settings.ts';

/** dev.json: the addresses, keys and processes of a running system, for scripts. */
export interface DevFile extends DriverDevFile, Addresses {
  services: Record<ServiceName, { url: string; pid: number }>;
  metrics_urls: Record<ServiceName, string>;
}

/** dev-env.json: the settings of each service, for `npm run admin` and `--only`. */
export type DevEnvFile = Record<ServiceName, Settings>;

export function readDevFile({ dev }: DataDir): DevFile | undefined {
  return readPrivateJson<DevFile>(dev);
}

/** @throws CliError if no system runs with these data */
export function devFileOfRunning(data: DataDir): DevFile {
  const dev = readDevFile(data);
  if (dev) return dev;
  throw new CliError(`No running system with its data in ${data.root}. Start one: npm start`);
}

export function writeDevFile({ dev }: DataDir, content: DevFile): void {
  writePrivateJson(dev, content);
}

export function readDevEnvFile({ devEnv }: DataDir): DevEnvFile | undefined {
  return readPrivateJson<DevEnvFile>(devEnv);
}

export function writeDevEnvFile({ devEnv }: DataDir, content: DevEnvFile): void {
  writePrivateJson(devEnv, content);
}

export function removeDevFiles({ dev, devEnv }: DataDir): void {
  rmSync(dev, { force: true });
  rmSync(devEnv, { force: true });
}

/**
 * @returns whether a system with these data was killed: its ports may be busy for a moment
 * @throws CliError if the system still runs
 */
export async function assertNotRunning(data: DataDir): Promise<boolean> {
  const dev = readDevFile(data);
  if (dev === undefined) return false;
  const signal = AbortSignal.timeout(2_000);
  const runs = await fetch(`${dev.gateway_url}/livez`, { signal }).then(
    ({ ok }) => ok,
    () => false,
  );
  if (!runs) return true;
  throw new CliError(
    `A system with the data in ${data.root} runs already, at ${dev.gateway_url}.\n` +
      'End it first (Ctrl-C where it runs), or start one beside it: CASEWATCH_DATA=/other/dir PORT_BASE=5000 npm start',
  );
}
