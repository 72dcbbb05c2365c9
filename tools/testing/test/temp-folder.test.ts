import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { tempFolder } from '../src/index.ts';

it('a new folder removes what interrupted runs left, and keeps the folders of living ones', async () => {
  const first = await tempFolder();
  const { pid } = spawnSync(process.execPath, ['--version']);
  const abandoned = first.path.replace(`-${process.pid}-`, `-${pid}-`);
  mkdirSync(abandoned);
  writeFileSync(join(abandoned, 'data'), 'x');

  const second = await tempFolder();

  expect([existsSync(abandoned), existsSync(first.path), existsSync(second.path)]).toEqual([
    false,
    true,
    true,
  ]);
  await Promise.all([first.remove(), second.remove()]);
  expect([existsSync(first.path), existsSync(second.path)]).toEqual([false, false]);
});
