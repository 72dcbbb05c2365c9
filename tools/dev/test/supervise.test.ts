import { join } from 'node:path';
import { type TempFolder, tempFolder, waitFor } from '@casewatch/testing';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { type Child, startChild } from '../src/servers/index.ts';
import { type Supervised, supervise } from '../src/supervise.ts';

describe('supervise', () => {
  let folder: TempFolder;
  let lines: string[];
  let pids: number[];

  beforeEach(async () => {
    folder = await tempFolder();
    lines = [];
    pids = [];
  });
  afterEach(() => folder.remove());

  async function keep(...args: string[]): Promise<Supervised> {
    const logFile = join(folder.path, 'program.log');
    const launch = (): Promise<Child> => startChild({ command: 'sleep', args, env: process.env, logFile });
    const onRestart = (pid: number): void => void pids.push(pid);
    const say = (line: string): void => void lines.push(line);
    return supervise({ name: 'cases', first: await launch(), relaunch: launch, onRestart, say });
  }

  it('starts a killed process again, tells its new pid, and says so', async () => {
    const supervised = await keep('600');
    const first = supervised.pid();
    process.kill(first, 'SIGKILL');
    await waitFor(() => pids.length === 1, { what: 'the restart' });
    expect(supervised.pid()).toBe(pids[0]);
    expect(supervised.pid()).not.toBe(first);
    expect(lines[0]).toBe('cases ended (SIGKILL); it is started again in 0.2 s');
    await supervised.stop();
    expect(() => process.kill(pids[0] ?? 0, 0)).toThrow('ESRCH');
  });

  it('waits longer before each further restart', async () => {
    const supervised = await keep('0');
    await waitFor(() => lines.filter((line) => line.includes('ended')).length === 3, {
      what: 'three crashes',
    });
    expect(lines.filter((line) => line.includes('ended')).map((line) => line.split(' in ')[1])).toEqual([
      '0.2 s',
      '0.4 s',
      '0.8 s',
    ]);
    await supervised.stop();
  });

  it('starts nothing after it was stopped', async () => {
    const supervised = await keep('600');
    await supervised.stop();
    expect(lines).toEqual([]);
    expect(pids).toEqual([]);
  });
});
