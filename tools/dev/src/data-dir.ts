import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';

export interface DataDir {
  root: string;
  mongod: string;
  nats: string;
  sandbox: string;
  logs: string;
  secrets: string;
  seed: string;
  dev: string;
  devEnv: string;
  handover: string;
}

export function dataDirAt(root: string): DataDir {
  return {
    root,
    mongod: join(root, 'mongod'),
    nats: join(root, 'nats'),
    sandbox: join(root, 'sandbox'),
    logs: join(root, 'logs'),
    secrets: join(root, 'secrets.json'),
    seed: join(root, 'seed.json'),
    dev: join(root, 'dev.json'),
    devEnv: join(root, 'dev-env.json'),
    handover: join(root, 'handover'),
  };
}

/** Deletes only the files of npm start: CASEWATCH_DATA can name any folder. */
export function removeDataDir({ root, ...places }: DataDir): void {
  for (const place of Object.values(places)) rmSync(place, { recursive: true, force: true });
  mkdirSync(root, { recursive: true });
}

/** The log file of a program for this run. The previous log becomes `<name>.1.log`. */
export function newLog({ logs }: DataDir, name: string): string {
  mkdirSync(logs, { recursive: true });
  const file = join(logs, `${name}.log`);
  if (existsSync(file)) renameSync(file, join(logs, `${name}.1.log`));
  return file;
}
