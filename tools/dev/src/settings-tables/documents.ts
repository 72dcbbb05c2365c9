import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type ServiceName, serviceNames } from '@casewatch/contracts';
import { type Setting, settingsOf } from '@casewatch/platform';
import { ROOT } from '../options.ts';
import { envExample } from './env-example.ts';
import { withTable } from './readme-table.ts';
import { serviceConfigs } from './service-configs.ts';

export interface Document {
  path: string;
  current: string;
  expected: string;
}

/** .env.example and the READMEs of the services, as they are and as the schemas want them. */
export function settingsDocuments(): Document[] {
  const settings = Object.fromEntries(
    serviceNames.map((name) => [name, settingsOf(serviceConfigs[name])]),
  ) as Record<ServiceName, Setting[]>;
  const readmes = serviceNames.map((name) =>
    document(`services/${name}/README.md`, (current) => withTable(current, settings[name])),
  );
  return [document('.env.example', () => envExample(settings)), ...readmes];
}

function document(path: string, write: (current: string) => string): Document {
  const current = read(join(ROOT, path));
  try {
    return { path, current, expected: write(current) };
  } catch (err) {
    throw new Error(`${path}: ${err instanceof Error ? err.message : String(err)}`);
  }
}

function read(file: string): string {
  return existsSync(file) ? readFileSync(file, 'utf8') : '';
}
