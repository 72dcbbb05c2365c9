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
  /** All services in one process, as on a small machine. */
  oneProcess: boolean;
}

export const ROOT = join(import.meta.dirname, '../../..');
const DEFAULT_PORT_BASE = 4000;
const MOST_REPLICAS = 4;
const USAGE =
  'npm start [-- --fresh] [-- --only <service>] [-- --replicas <1 to 4>] [-- --one-process]   with PORT_BASE and CASEWATCH_DATA in the environment';

export function parseOptions(args: string[], env: NodeJS.ProcessEnv): Options {
  if (env.NODE_ENV === 'production') {
    throw new CliError(
      'npm start runs a development system with publicly known keys: it does not run with NODE_ENV=production.',
    );
  }
  const { fresh, only, replicas, oneProcess } = parseCommandLine(args);
  if (oneProcess && (only !== undefined || replicas !== undefined))
    throw new CliError(`--one-process runs every service once, in one process.\n${USAGE}`);
  const dataDir = resolve(env.CASEWATCH_DATA || join(ROOT, '.data'));
  const count = parseReplicas(replicas);
  const portBase = parsePortBase(env.PORT_BASE, count ?? 0);
  return { dataDir, portBase, fresh, only: parseService(only), replicas: count, oneProcess };
}

type CommandLine = {
  fresh: boolean;
  only: string | undefined;
  replicas: string | undefined;
  oneProcess: boolean;
};

function parseCommandLine(args: string[]): CommandLine {
  try {
    const { values } = parseArgs({
      args,
      options: {
        fresh: { type: 'boolean' },
        only: { type: 'string' },
        replicas: { type: 'string' },
        'one-process': { type: 'boolean' },
      },
    });
    const { fresh = false, only, replicas, 'one-process': oneProcess = false } = values;
    return { fresh, only, replicas, oneProcess };
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
