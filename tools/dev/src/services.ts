import { type ServiceName, serviceNames } from '@casewatch/contracts';
import { httpAt, metricsUrls } from './addresses.ts';
import type { DataDir } from './data-dir.ts';
import { type DevFile, writeDevFile } from './dev-files.ts';
import { watchClaims } from './handover.ts';
import type { Say } from './infrastructure.ts';
import { keepProgram } from './keep-program.ts';
import { serviceMain } from './launch-node.ts';
import type { Ports } from './ports.ts';
import type { Settings } from './settings.ts';
import { type Supervised, startTogether } from './supervise.ts';

export interface ServicesOptions {
  ports: Ports;
  settings: Record<ServiceName, Settings>;
  data: DataDir;
  say: Say;
  signal: AbortSignal;
}

type DevFileContent = Omit<DevFile, 'services' | 'metrics_urls'>;

export interface Services {
  /** Writes dev.json now and after each restart of a service. */
  publish(content: DevFileContent): void;
}

const GRACE_MS = 8_000;

/** Starts the six services and waits until all are ready. `stack` stops the gateway first, so that no request comes in. */
export async function keepServices(options: ServicesOptions, stack: AsyncDisposableStack): Promise<Services> {
  const { ports, data, say } = options;
  const supervisedByName = new Map<ServiceName, Supervised>();
  const pids = new Map<ServiceName, number>();
  let published: DevFileContent | undefined;

  const write = (): void => {
    if (published === undefined) return;
    const entries = serviceNames.map((name) => [name, { url: httpAt(ports[name]), pid: pids.get(name) }]);
    const metrics_urls = metricsUrls(ports);
    writeDevFile(data, { ...published, services: Object.fromEntries(entries), metrics_urls });
  };
  const setPid = (name: ServiceName, pid: number): void => {
    pids.set(name, pid);
    write();
  };
  // A failed service ends the wait for the others, which may depend on it.
  const failed = new AbortController();
  const signal = AbortSignal.any([options.signal, failed.signal]);
  const keep = async (name: ServiceName): Promise<Supervised> => {
    const onRestart = (pid: number): void => setPid(name, pid);
    const supervised = await keepProgram(programOf(name, options), { data, say, signal, onRestart });
    supervisedByName.set(name, supervised);
    setPid(name, supervised.pid());
    return currentProcess(supervisedByName, name);
  };
  const keepOrFail = (name: ServiceName): Promise<Supervised> =>
    keep(name).catch((err: unknown) => {
      failed.abort(err);
      throw err;
    });

  const backendNames = serviceNames.filter((name) => name !== 'gateway');
  const gateway = keepOrFail('gateway');
  // startTogether reports the failure; here it must not end the process.
  gateway.catch(() => undefined);
  const backends = startTogether(stack, backendNames.map(keepOrFail));
  await Promise.allSettled([backends, gateway]);
  await startTogether(stack, [gateway]);
  await backends;

  const watching = new AbortController();
  const watch = watchClaims(
    data,
    {
      onClaim: async (name, pid) => {
        const supervised = supervisedByName.get(name);
        supervisedByName.delete(name);
        if (supervised !== undefined) say(`${name} is run by another terminal now`);
        await supervised?.stop();
        setPid(name, pid);
      },
      onReturn: async (name) => {
        say(`${name} is back`);
        await keep(name).catch((err: Error) => say(err.message));
      },
    },
    watching.signal,
  );
  stack.defer(async () => {
    watching.abort();
    await watch;
  });

  return {
    publish: (content) => {
      published = content;
      write();
    },
  };
}

/** The process that runs at the time of the stop, also after a handover. */
function currentProcess(processes: Map<ServiceName, Supervised>, name: ServiceName): Supervised {
  return {
    pid: () => processes.get(name)?.pid() ?? 0,
    stop: async () => processes.get(name)?.stop(),
  };
}

function programOf(
  name: ServiceName,
  { ports, settings }: ServicesOptions,
): Parameters<typeof keepProgram>[0] {
  const readyUrls = [`${httpAt(ports[name])}/readyz`];
  return { name, main: serviceMain(name), settings: settings[name], readyUrls, graceMs: GRACE_MS };
}
