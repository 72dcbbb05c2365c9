import { type DataDir, newLog } from './data-dir.ts';
import type { Say } from './infrastructure.ts';
import { launchNode } from './launch-node.ts';
import { awaitReady } from './ready.ts';
import type { Settings } from './settings.ts';
import { type Running, type Supervised, supervise } from './supervise.ts';

export interface Program {
  name: string;
  main: string;
  settings: Settings;
  readyUrls: string[];
  /** Time between SIGTERM and SIGKILL. */
  graceMs: number;
}

export interface ProgramContext {
  data: DataDir;
  say: Say;
  signal: AbortSignal;
  onRestart: (pid: number) => void;
}

/** Starts a program of this repository, waits until it is ready, and restarts it after a crash. */
export async function keepProgram(program: Program, context: ProgramContext): Promise<Supervised> {
  const { name, main, settings, readyUrls, graceMs } = program;
  const { data, say, signal, onRestart } = context;
  const logFile = newLog(data, name);
  const launch = async (): Promise<Running> => {
    const child = await launchNode(main, settings, logFile);
    return { pid: child.pid, exited: child.exited, stop: () => child.stop(graceMs) };
  };
  const first = await launch();
  try {
    await awaitReady({ name, urls: readyUrls, exited: first.exited, logFile, signal });
  } catch (err) {
    await first.stop();
    throw err;
  }
  return supervise({ name, first, relaunch: launch, onRestart, say });
}
