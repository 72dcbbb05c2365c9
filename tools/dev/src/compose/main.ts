/** npm run compose:dev-files: writes dev.json and dev-env.json of the system that `docker compose up` runs. */
import { execFileSync } from 'node:child_process';
import { join, resolve } from 'node:path';
import type { ServiceName } from '@casewatch/contracts';
import { databaseAt } from '../addresses.ts';
import { CliError, exitWith } from '../cli-error.ts';
import { dataDirAt } from '../data-dir.ts';
import { ROOT } from '../options.ts';
import { writePrivateJson } from '../private-file.ts';
import type { DemoPartners } from '../seed/seed-partners.ts';
import { serviceConfigs } from '../settings-tables/service-configs.ts';
import { publishedAddresses } from './published.ts';

try {
  const addresses = publishedAddresses(process.env);
  const data = dataDirAt(resolve(process.env.CASEWATCH_DATA || join(ROOT, '.data/compose')));
  const partners = JSON.parse(
    runInService('identity', 'node', 'service/src/admin/main.ts', 'seed-demo', '--json'),
  );
  const settings = { ...settingsOf('identity'), MONGODB_URL: databaseAt(addresses.mongodb_url, 'identity') };
  writePrivateJson(data.devEnv, { identity: settings });
  // The processes are not on this machine.
  const { partner, other_partner } = partners as DemoPartners;
  writePrivateJson(data.dev, { ...addresses, partner, other_partner, services: {} });
  console.log(data.dev);
} catch (err) {
  exitWith(err);
}

function settingsOf(service: ServiceName): Record<string, string> {
  const names = Object.keys(serviceConfigs[service].shape);
  const lines = runInService(service, 'env').split('\n');
  return Object.fromEntries(
    lines.flatMap((line) => {
      const [key = ''] = line.split('=', 1);
      return names.includes(key) ? [[key, line.slice(key.length + 1)]] : [];
    }),
  );
}

function runInService(service: ServiceName, ...command: string[]): string {
  const args = ['compose', 'exec', '--no-TTY', service, ...command];
  try {
    return execFileSync('docker', args, { cwd: ROOT, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
  } catch (err) {
    const { stderr = '' } = err as { stderr?: string };
    throw new CliError(
      `No running system was found: start it with docker compose up --detach --wait.\n${stderr}`,
    );
  }
}
