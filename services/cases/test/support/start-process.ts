import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';

const main = new URL('../../src/main.ts', import.meta.url).pathname;

/** The service as a process of its own, so that it can be killed; where it listens stands in its log. */
export async function startProcess(
  env: Record<string, string>,
): Promise<{ port: number; kill(): Promise<void> }> {
  const child = spawn(process.execPath, [main], { env, stdio: ['ignore', 'pipe', 'inherit'] });
  const exited = once(child, 'exit');
  return {
    port: await portOf(child),
    async kill() {
      child.kill('SIGKILL');
      await exited;
    },
  };
}

async function portOf(child: ChildProcess): Promise<number> {
  if (child.stdout === null) throw new Error('the process has no output');
  for await (const line of createInterface(child.stdout)) {
    const { port } = JSON.parse(line) as { port?: number };
    if (port !== undefined) return port;
  }
  throw new Error('the service did not start');
}
