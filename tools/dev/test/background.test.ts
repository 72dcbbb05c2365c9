import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TempFolder, tempFolder, waitFor } from '@casewatch/testing';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';

const bootstrap = join(import.meta.dirname, '../bootstrap.mjs');

/** Stands for the system: says that it runs, again and again. */
const system = (file: string) =>
  `import { appendFileSync } from 'node:fs';
   process.on('SIGTERM', () => process.exit(0));
   appendFileSync('${file}', process.pid + '\\n');
   setInterval(() => appendFileSync('${file}', '.\\n'), 100);`;

describe.each(['exec node start.mjs', 'node start.mjs; true'])(
  'npm start as "%s", in the background',
  (script) => {
    let folder: TempFolder;
    let said: string;
    beforeEach(async () => {
      folder = await tempFolder();
      said = join(folder.path, 'said');
      const write = (name: string, text: string) => writeFileSync(join(folder.path, name), text);
      write('package.json', JSON.stringify({ name: 'background', scripts: { start: script } }));
      write('system.mjs', system(said));
      write(
        'start.mjs',
        `import { runNode } from '${bootstrap}'; await runNode(['${join(folder.path, 'system.mjs')}']);`,
      );
    });
    afterEach(async () => await folder.remove());

    const lines = () => (existsSync(said) ? readFileSync(said, 'utf8').split('\n') : []);
    const isRunning = (pid: number) => existsSync(`/proc/${pid}`);

    it('goes on when the shell that started it has ended, and ends with npm', async () => {
      const shell = spawn('sh', ['-c', 'nohup npm start > /dev/null 2>&1 & echo $!; read line'], {
        cwd: folder.path,
        stdio: ['pipe', 'pipe', 'ignore'],
      });
      const [npm] = await once(shell.stdout, 'data');
      await waitFor(() => lines().length > 1, { what: 'the system', timeoutMs: 20_000 });
      const ended = once(shell, 'exit');
      shell.stdin.end('\n');
      await ended;
      const before = lines().length;
      await waitFor(() => lines().length > before + 10, { what: 'ten further signs of life' });

      const pid = Number(lines()[0]);
      process.kill(Number(String(npm)), 'SIGKILL');
      await waitFor(() => !isRunning(pid), { what: 'the end of the system' });
      expect(isRunning(pid)).toBe(false);
    });
  },
);
