import { spawn } from 'node:child_process';
import type { ServiceName } from '@casewatch/contracts';
import { CliError } from './cli-error.ts';
import { dataDirAt } from './data-dir.ts';
import { readDevEnvFile, readDevFile } from './dev-files.ts';
import { claimService, releaseService } from './handover.ts';
import { baseEnv, nodeOptions, serviceMain } from './launch-node.ts';
import { type Options, ROOT } from './options.ts';
import { assignPorts, checkPorts } from './ports.ts';

/** The running system notices the claim within 0.3 s; its service then ends within 8 s. */
const PORTS_TIMEOUT_MS = 12_000;

/**
 * Runs one service in the foreground, in place of the same service of a running system, which takes over afterwards.
 * The service is not restarted: a developer wants to see a crash.
 */
export async function runOnly(options: Options, name: ServiceName, stop: AbortSignal): Promise<void> {
  const data = dataDirAt(options.dataDir);
  const settings = readDevEnvFile(data)?.[name];
  if (settings === undefined) {
    throw new CliError(
      `No running system with its data in ${data.root}: --only runs one service against the rest.\n` +
        'Start everything in another terminal first: npm start (with the same CASEWATCH_DATA)',
    );
  }
  const pids = new Set(Object.values(readDevFile(data)?.services ?? {}).map(({ pid }) => pid));
  if (pids.size === 1)
    throw new CliError(
      'The running system has all services in one process: --only cannot take one out. Start it without --one-process.',
    );
  claimService(data, name, process.pid);
  try {
    const ports = { ...assignPorts(options.portBase), [name]: Number(settings.PORT) };
    await checkPorts(ports, [name], PORTS_TIMEOUT_MS);
    await runInForeground(name, { ...baseEnv(process.env), ...settings }, (pid) => {
      claimService(data, name, pid);
      stop.addEventListener('abort', () => process.kill(pid, 'SIGTERM'), { once: true });
    });
  } finally {
    releaseService(data, name);
  }
}

function runInForeground(
  name: ServiceName,
  env: NodeJS.ProcessEnv,
  onStart: (pid: number) => void,
): Promise<void> {
  const child = spawn(process.execPath, [...nodeOptions, serviceMain(name)], {
    cwd: ROOT,
    env,
    stdio: 'inherit',
  });
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('spawn', () => onStart(child.pid ?? 0));
    child.once('exit', (code, signal) => {
      if (code === 0) resolve();
      else reject(new CliError(`${name} ended (${signal ?? `exit code ${code}`}).`));
    });
  });
}
