/** npm run admin -- deadletters list, without a service: each service lists its own, as no program reads two databases. */
import { execFile } from 'node:child_process';
import { resolve } from 'node:path';
import { promisify } from 'node:util';
import { consumersOf, type ServiceName, serviceNames } from '@casewatch/contracts';
import { CliError, exitWith } from '../cli-error.ts';
import { dataDirAt } from '../data-dir.ts';
import { type DevEnvFile, readDevEnvFile } from '../dev-files.ts';
import { baseEnv } from '../launch-node.ts';
import { ROOT } from '../options.ts';

const none = 'no dead letters';

async function main(): Promise<void> {
  const words = process.argv.slice(2);
  const settings = readDevEnvFile(dataDirAt(resolve(process.env.CASEWATCH_DATA || `${ROOT}/.data`)));
  if (!settings) throw new CliError('No running system. Start one: npm start');
  const services = serviceNames.filter((service) => consumersOf(service).length > 0);
  const lists = await Promise.all(services.map((service) => ask(settings, service, words)));
  if (words.includes('--json')) {
    console.log(JSON.stringify(lists.flatMap((text) => JSON.parse(text) as unknown[])));
    return;
  }
  const found = lists.filter((text) => text !== none);
  console.log(found.length === 0 ? none : found.join('\n'));
}

async function ask(settings: DevEnvFile, service: ServiceName, words: string[]): Promise<string> {
  const program = 'libs/platform/src/programs/dead-letters.ts';
  const args = ['--disable-warning=ExperimentalWarning', program, 'list', ...words];
  const options = { cwd: ROOT, env: { ...baseEnv(process.env), ...settings[service] }, maxBuffer: 2 ** 30 };
  const { stdout } = await promisify(execFile)(process.execPath, args, options).catch(
    (error: { stderr?: string }) => {
      throw new CliError(error.stderr?.trim() || `${service}: the command failed`);
    },
  );
  return stdout.trim();
}

await main().catch(exitWith);
