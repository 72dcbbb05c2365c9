/**
 * npm run preflight [-- service …]: does each dependency work from this machine? With the settings of the running development system, or
 * with those of the environment for one service (docs/operations.md). Exit code 0: nothing is wrong; 1: something is; 2: wrong settings.
 */
import { spawnSync } from 'node:child_process';
import { resolve } from 'node:path';
import { serviceNames } from '@casewatch/contracts';
import { CliError, exitWith } from '../cli-error.ts';
import { dataDirAt } from '../data-dir.ts';
import { type DevEnvFile, readDevEnvFile } from '../dev-files.ts';
import { baseEnv } from '../launch-node.ts';
import { ROOT } from '../options.ts';

const programs: Readonly<Record<string, readonly string[]>> = {
  streams: ['libs/platform/src/programs/declare-streams.ts', '--preflight'],
  ...Object.fromEntries(serviceNames.map((name) => [name, [`services/${name}/src/preflight.ts`]])),
};

try {
  const names = process.argv.slice(2);
  const unknown = names.filter((name) => !(name in programs));
  if (unknown.length > 0)
    throw new CliError(
      `There is no service ${unknown.join(', ')}: name some of ${Object.keys(programs).join(', ')}.`,
    );
  const own = process.env.NATS_URL ?? process.env.NATS_URL_FILE;
  if (own !== undefined && names.length !== 1)
    throw new CliError(
      'The environment has the settings of one service: name it, npm run preflight -- cases',
    );
  const data = dataDirAt(resolve(process.env.CASEWATCH_DATA || `${ROOT}/.data`));
  const settings = own === undefined ? readDevEnvFile(data) : undefined;
  if (own === undefined && settings === undefined)
    throw new CliError('No running system: start one (npm start), or set the environment of a service.');
  // The development system declares its streams without a program of its own, so it has no settings for one.
  const codes = (names.length > 0 ? names : serviceNames).map((name) => {
    const env =
      settings === undefined
        ? process.env
        : { ...baseEnv(process.env), ...settings[name as keyof DevEnvFile] };
    return (
      spawnSync(process.execPath, programs[name] ?? [], { cwd: ROOT, env, stdio: 'inherit' }).status ?? 1
    );
  });
  process.exitCode = Math.max(...codes);
} catch (error) {
  exitWith(error);
}
