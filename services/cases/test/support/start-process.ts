import type { ChildProcess } from 'node:child_process';
import { createInterface } from 'node:readline';
import { spawnProgram } from '@casewatch/testing';

const main = new URL('../../src/main.ts', import.meta.url).pathname;

/** The service as a process of its own, so that it can be killed; where it listens stands in its log. */
export async function startProcess(
  settings: Record<string, string>,
): Promise<{ port: number; kill(): Promise<void> }> {
  const env = { ...settings, LOG_LEVEL: 'info' };
  const { child, end } = spawnProgram(main, { env, stdio: ['ignore', 'pipe', 'inherit'] });
  return { port: await portOf(child), kill: () => end('SIGKILL') };
}

async function portOf(child: ChildProcess): Promise<number> {
  if (child.stdout === null) throw new Error('the process has no output');
  for await (const line of createInterface(child.stdout)) {
    const { port } = JSON.parse(line) as { port?: number };
    if (port !== undefined) return port;
  }
  throw new Error('the service did not start');
}
