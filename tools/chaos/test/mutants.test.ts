import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { tempFolder } from '@casewatch/testing';
import { expect, it } from '@jest/globals';
import { misplaced, readMutants } from '../src/mutants.ts';

const root = join(import.meta.dirname, '../../..');

it('each mutant stands once in its file, changes it, and names a test that exists', () => {
  const mutants = readMutants();
  expect(mutants.length).toBeGreaterThanOrEqual(20);
  expect(misplaced(mutants)).toEqual([]);
  for (const { find, replace, caught_by } of mutants) {
    expect(replace).not.toBe(find);
    expect(readFileSync(join(root, caught_by.test), 'utf8')).toContain(caught_by.title);
  }
});

it('a mutant whose text or file is not there, or there twice, is named with its file', async () => {
  const folder = await tempFolder();
  const [mutant] = readMutants();
  if (!mutant) throw new Error('there are no mutants');
  const file = join(folder.path, mutant.file);
  mkdirSync(dirname(file), { recursive: true });
  const gone = misplaced([mutant], folder.path);
  const counts = ['', mutant.find, `${mutant.find}\n${mutant.find}`].map((text) => {
    writeFileSync(file, text);
    return misplaced([mutant], folder.path);
  });
  await folder.remove();
  expect(gone).toEqual([expect.stringContaining(`there is no ${mutant.file}`)]);
  expect(counts).toEqual([
    [expect.stringContaining(`stands 0 times in ${mutant.file}`)],
    [],
    [expect.stringContaining(`stands 2 times in ${mutant.file}`)],
  ]);
});
