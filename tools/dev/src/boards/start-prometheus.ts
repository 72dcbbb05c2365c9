import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { until } from '@casewatch/driver';
import { CliError } from '../cli-error.ts';
import { HOST } from '../ports.ts';
import { freePort, logTail, startChild } from '../servers/index.ts';

const startMs = 60_000;

/** Runs Prometheus with its data in `folder`. @throws CliError if it ends at once */
export async function startPrometheus(
  program: string,
  { folder, config, signal }: { folder: string; config: string; signal: AbortSignal },
): Promise<{ url: string; stop: () => Promise<void> }> {
  const file = join(folder, 'prometheus.yml');
  writeFileSync(file, config);
  const address = `${HOST}:${await freePort()}`;
  const logFile = join(folder, 'prometheus.log');
  const child = await startChild({
    command: program,
    args: [
      `--config.file=${file}`,
      `--storage.tsdb.path=${join(folder, 'series')}`,
      `--web.listen-address=${address}`,
    ],
    env: {},
    logFile,
  });
  const url = `http://${address}`;
  const isReady = () =>
    fetch(`${url}/-/ready`).then(
      ({ ok }) => ok,
      () => false,
    );
  try {
    await until(async () => child.hasExited() || (await isReady()), {
      timeoutMs: startMs,
      what: 'Prometheus',
      signal,
    });
    if (child.hasExited()) throw new CliError(`Prometheus did not start:\n${await logTail(logFile)}`);
  } catch (error) {
    await child.stop();
    throw error;
  }
  return { url, stop: () => child.stop() };
}
