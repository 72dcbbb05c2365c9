import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { World } from './world.ts';

const main = fileURLToPath(new URL('../../src/main.ts', import.meta.url));

/** A monitor in a process of its own, so that it can be killed, and the stand-in's clock is not held up by it. */
export async function startMonitorProcess(world: World, settings = {}): Promise<ChildProcess> {
  const env = world.environment({ LOG_LEVEL: 'warn', ...settings });
  const child = spawn(process.execPath, [main], { env, stdio: ['ignore', 'pipe', 'inherit'] });
  for await (const line of createInterface({ input: child.stdout })) {
    if (process.env.TEST_LOG_LEVEL) process.stdout.write(`${line}\n`);
    if (line.includes('"msg":"ready"')) {
      child.stdout.resume();
      return child;
    }
  }
  throw new Error(`the monitor ended with code ${child.exitCode}`);
}

/** Ends a process and waits until it is gone. */
export async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, 'exit');
  child.kill(signal);
  await exited;
}
