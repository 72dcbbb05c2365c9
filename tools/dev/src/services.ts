import { type ServiceName, serviceNames } from '@casewatch/contracts';
import { httpAt, metricsUrls } from './addresses.ts';
import type { DataDir } from './data-dir.ts';
import { type DevFile, writeDevFile } from './dev-files.ts';
import { watchClaims } from './handover.ts';
import type { Say } from './infrastructure.ts';
import { keepProgram } from './keep-program.ts';
import { serviceMain } from './launch-node.ts';
import { startLink } from './link.ts';
import { HOST, type Ports, replicaPort } from './ports.ts';
import type { Settings } from './settings.ts';
import { type Supervised, startTogether } from './supervise.ts';

export interface ServicesOptions {
  ports: Ports;
  /** Of the first replica of each. */
  settings: Record<ServiceName, Settings>;
  replicas: number;
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

  const { replicas } = options;
  if (replicas > 1) await startRoundRobins(options, stack);
  const others = Array.from({ length: replicas - 1 }, (_, i) => i + 1);
  const keepOthers = (name: ServiceName): Promise<Supervised>[] =>
    others.map((replica) =>
      keepProgram(programOf(name, options, replica), { data, say, signal, onRestart: () => {} }).catch(
        (err: unknown) => {
          failed.abort(err);
          throw err;
        },
      ),
    );

  const backendNames = serviceNames.filter((name) => name !== 'gateway');
  const gateways = [keepOrFail('gateway'), ...keepOthers('gateway')];
  // startTogether reports the failure; here it must not end the process.
  for (const gateway of gateways) gateway.catch(() => undefined);
  const backends = startTogether(
    stack,
    backendNames.flatMap((name) => [keepOrFail(name), ...keepOthers(name)]),
  );
  await Promise.allSettled([backends, ...gateways]);
  await startTogether(stack, gateways);
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

/** Starts all services as one process, and waits until all are ready. */
export async function keepOneProcess(
  {
    ports,
    settings,
    data,
    say,
    signal,
  }: Pick<ServicesOptions, 'ports' | 'data' | 'say' | 'signal'> & { settings: Settings },
  stack: AsyncDisposableStack,
): Promise<Services> {
  let published: DevFileContent | undefined;
  const write = (pid: number): void => {
    if (published === undefined) return;
    const entries = serviceNames.map((name) => [name, { url: httpAt(ports[name]), pid }]);
    writeDevFile(data, {
      ...published,
      services: Object.fromEntries(entries),
      metrics_urls: metricsUrls(ports),
    });
  };
  const program = {
    name: 'all',
    main: serviceMain('all'),
    settings,
    readyUrls: [`${httpAt(ports.gateway)}/readyz`],
    graceMs: GRACE_MS,
  };
  const supervised = await keepProgram(program, { data, say, signal, onRestart: write });
  stack.defer(() => supervised.stop());
  return {
    publish: (content) => {
      published = content;
      write(supervised.pid());
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

/** The port of each service leads to its replicas in turn. */
async function startRoundRobins({ ports, replicas }: ServicesOptions, stack: AsyncDisposableStack) {
  for (const name of serviceNames) {
    const targets = Array.from({ length: replicas }, (_, i) => ({
      host: HOST,
      port: replicaPort(ports, name, i),
    }));
    const link = await startLink({ host: HOST, port: ports[name] }, targets);
    stack.defer(() => link.stop());
  }
}

/** `replica`: 0 is the first, which has the plain name and the port for metrics. */
function programOf(
  name: ServiceName,
  { ports, settings }: ServicesOptions,
  replica = 0,
): Parameters<typeof keepProgram>[0] {
  const { METRICS_PORT, ...rest } = settings[name];
  const PORT = replica === 0 ? settings[name].PORT : String(replicaPort(ports, name, replica));
  const own = { ...rest, ...(PORT && { PORT }), ...(METRICS_PORT && replica === 0 && { METRICS_PORT }) };
  return {
    name: replica === 0 ? name : `${name}-${replica}`,
    main: serviceMain(name),
    settings: own,
    readyUrls: [`${httpAt(Number(PORT))}/readyz`],
    graceMs: GRACE_MS,
  };
}
