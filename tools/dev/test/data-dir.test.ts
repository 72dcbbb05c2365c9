import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { tempFolder } from '@casewatch/testing';
import { describe, expect, it } from '@jest/globals';
import { dataDirAt, newLog, removeDataDir } from '../src/data-dir.ts';

describe('the data folder', () => {
  it('loses on --fresh what npm start keeps there, and nothing else', async () => {
    const folder = await tempFolder();
    const data = dataDirAt(folder.path);
    await writeFile(data.secrets, '{}');
    await writeFile(newLog(data, 'cases'), 'a line');
    await writeFile(join(folder.path, 'diary.txt'), 'mine');
    removeDataDir(data);
    expect(await readdir(folder.path)).toEqual(['diary.txt']);
    await folder.remove();
  });

  it('keeps the log of the run before beside the new one', async () => {
    const folder = await tempFolder();
    const data = dataDirAt(folder.path);
    await writeFile(newLog(data, 'cases'), 'yesterday');
    await writeFile(newLog(data, 'cases'), 'today');
    expect(await readFile(join(data.logs, 'cases.1.log'), 'utf8')).toBe('yesterday');
    expect(await readFile(join(data.logs, 'cases.log'), 'utf8')).toBe('today');
    await folder.remove();
  });
});
