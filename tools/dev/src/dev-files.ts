import { rmSync } from 'node:fs';
import type { ServiceName } from '@casewatch/contracts';
import type { DevFile as DriverDevFile } from '@casewatch/driver';
import type { Addresses } from './addresses.ts';
import type { DataDir } from './data-dir.ts';
import { readPrivateJson, writePrivateJson } from './private-file.ts';
import { CliError } from './problem.ts';
import type { Settings } from './settings.ts';

/** dev.json: the addresses, keys and processes of a running system, for scripts. */
export interface DevFile extends DriverDevFile, Addresses {
  services: Record<ServiceName, { url: string; pid: number }>;
}

/** dev-env.json: the settings of each service, for `npm run admin` and `--only`. */
export type DevEnvFile = Record<ServiceName | 'streams', Settings>;

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
