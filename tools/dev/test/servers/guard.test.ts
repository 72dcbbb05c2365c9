import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { tempFolder, waitFor } from '@casewatch/testing';
import { describe, expect, it } from '@jest/globals';
import { isAlive } from '../../src/servers/index.ts';

const START_CHILD = join(import.meta.dirname, '../../src/servers/child.ts');

describe('a child started with startChild', () => {
  it('does not outlive its parent, even when that is killed the hard way', async () => {
    const folder = await tempFolder();
    const program = `
      import { startChild } from ${JSON.stringify(START_CHILD)};
      const logFile = ${JSON.stringify(join(folder.path, 'child.log'))};
      const { pid } = await startChild({ command: 'sleep', args: ['600'], env: process.env, logFile });
      console.log(pid);
    `;
    const parent = spawn(process.execPath, ['--input-type=module', '--eval', program]);
    const [line] = await Promise.race([
      createInterface({ input: parent.stdout })
        [Symbol.asyncIterator]()
        .next()
        .then(({ value }) => [value]),
      new Promise<never>((_, reject) => parent.once('exit', () => reject(new Error('the parent ended')))),
    ]);
    const child = Number(line);
    expect(isAlive(child)).toBe(true);
    parent.kill('SIGKILL');
    await waitFor(() => !isAlive(child), { what: 'the end of the child' });
    await folder.remove();
  });
});
