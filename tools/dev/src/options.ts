import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { type ServiceName, serviceNames } from '@casewatch/contracts';
import { CliError } from './cli-error.ts';
import { listeners } from './ports.ts';

export interface Options {
  dataDir: string;
  portBase: number;
  /** Delete the data first. */
  fresh: boolean;
  /** Run only this service, beside a running system. */
  only: ServiceName | undefined;
  /** Processes of each service, if not one. */
  replicas: number | undefined;
}

export const ROOT = join(import.meta.dirname, '../../..');
const DEFAULT_PORT_BASE = 4000;
const MOST_REPLICAS = 4;
const USAGE =
  'npm start [-- --fresh] [-- --only <service>] [-- --replicas <1 to 4>]   with PORT_BASE and CASEWATCH_DATA in the environment';

export function parseOptions(args: string[], env: NodeJS.ProcessEnv): Options {
  if (env.NODE_ENV === 'production') {
    throw new CliError(
      'npm start runs a development system with publicly known keys: it does not run with NODE_ENV=production.',
    );
  }
  const { fresh, only, replicas } = parseCommandLine(args);
  const dataDir = resolve(env.CASEWATCH_DATA || join(ROOT, '.data'));
  const count = parseReplicas(replicas);
  const portBase = parsePortBase(env.PORT_BASE, count ?? 0);
  return { dataDir, portBase, fresh, only: parseService(only), replicas: count };
}

type CommandLine = { fresh: boolean; only: string | undefined; replicas: string | undefined };

function parseCommandLine(args: string[]): CommandLine {
  try {
    const { values } = parseArgs({
      args,
      options: { fresh: { type: 'boolean' }, only: { type: 'string' }, replicas: { type: 'string' } },
    });
    return { fresh: values.fresh ?? false, only: values.only, replicas: values.replicas };
  } catch (err) {
    throw new CliError(`${err instanceof Error ? err.message : String(err)}\n${USAGE}`);
  }
}

function parsePortBase(text: string | undefined, replicas: number): number {
  if (!text) return DEFAULT_PORT_BASE;
  const base = Number(text);
  const highest = 65_535 - listeners().length - replicas * serviceNames.length + 1;
  if (Number.isInteger(base) && base >= 1024 && base <= highest) return base;
  throw new CliError(`PORT_BASE is a number from 1024 to ${highest}, not "${text}".`);
}

function parseReplicas(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const replicas = Number(text);
  if (Number.isInteger(replicas) && replicas >= 1 && replicas <= MOST_REPLICAS) return replicas;
  throw new CliError(`--replicas is a number from 1 to ${MOST_REPLICAS}, not "${text}".`);
}

function parseService(name: string | undefined): ServiceName | undefined {
  const service = serviceNames.find((service) => service === name);
  if (name === undefined || service !== undefined) return service;
  throw new CliError(`There is no service called "${name}"; there are ${serviceNames.join(', ')}.`);
}
