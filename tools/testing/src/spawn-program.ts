import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process';
import { once } from 'node:events';

export type Program = { child: ChildProcess; end(signal: NodeJS.Signals): Promise<void> };

type Options = { args?: readonly string[]; env: NodeJS.ProcessEnv; stdio?: SpawnOptions['stdio'] };

/** A program in a process of its own, which a test ends. It inherits only the folder of compiled modules. */
export function spawnProgram(path: string, { args = [], env, stdio = 'ignore' }: Options): Program {
  const { NODE_COMPILE_CACHE } = process.env;
  const inherited = NODE_COMPILE_CACHE === undefined ? {} : { NODE_COMPILE_CACHE };
  const child = spawn(process.execPath, [path, ...args], { env: { ...inherited, ...env }, stdio });
  const exited = once(child, 'exit');
  return {
    child,
    async end(signal) {
      if (child.exitCode !== null || child.signalCode !== null) return;
      child.kill(signal);
      await exited;
    },
  };
}
