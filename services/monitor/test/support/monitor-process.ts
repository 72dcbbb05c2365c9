import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { type Program, spawnProgram } from '@casewatch/testing';
import type { World } from './world.ts';

const main = fileURLToPath(new URL('../../src/main.ts', import.meta.url));

/** A monitor in a process of its own, so that it can be killed, and the stand-in's clock is not held up by it. */
export async function startMonitorProcess(world: World, settings = {}): Promise<Program> {
  const env = world.environment({ LOG_LEVEL: 'warn', ...settings });
  const program = spawnProgram(main, { env, stdio: ['ignore', 'pipe', 'inherit'] });
  const { child } = program;
  if (child.stdout === null) throw new Error('the monitor has no output');
  for await (const line of createInterface({ input: child.stdout })) {
    if (process.env.TEST_LOG_LEVEL) process.stdout.write(`${line}\n`);
    if (line.includes('"msg":"ready"')) {
      child.stdout.resume();
      return program;
    }
  }
  throw new Error(`the monitor ended with code ${child.exitCode}`);
}
