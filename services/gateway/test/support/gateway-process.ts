import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { spawnProgram, waitFor } from '@casewatch/testing';

const main = fileURLToPath(new URL('../../src/main.ts', import.meta.url));

/** A gateway in a process of its own, so that its memory is only its own. */
export async function startGatewayProcess(env: Record<string, string>) {
  const program = spawnProgram(main, {
    // As in the images (docs/adr/0008).
    env: { ...env, LOG_LEVEL: 'info', NODE_OPTIONS: '--max-semi-space-size=4' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const { child } = program;
  if (child.stdout === null) throw new Error('the gateway has no output');
  const port = await new Promise<number>((resolve, reject) => {
    createInterface({ input: child.stdout as NodeJS.ReadableStream }).on('line', (line) => {
      const { msg, port } = JSON.parse(line) as { msg?: string; port?: number };
      if (msg === 'ready' && port !== undefined) resolve(port);
    });
    child.once('exit', () => reject(new Error('the gateway has ended')));
  });
  await waitFor(async () => (await fetch(`http://127.0.0.1:${port}/readyz`)).ok, { what: 'the gateway' });
  return {
    port,
    url: `http://127.0.0.1:${port}`,
    /** Resident memory, MiB (proc(5), VmRSS). */
    residentMiB(): number {
      const status = readFileSync(`/proc/${child.pid}/status`, 'utf8');
      return Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1]) / 1024;
    },
    stop: () => program.end('SIGTERM'),
  };
}
