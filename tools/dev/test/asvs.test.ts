import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { settingsOf } from '@casewatch/platform';
import { describe, expect, it } from '@jest/globals';
import { serviceConfigs } from '../src/settings-tables/service-configs.ts';

const root = join(import.meta.dirname, '../../..');
const read = (path: string) => readFileSync(join(root, path), 'utf8');

/** Number and level of each requirement of ASVS 5.0.0 at levels 1 and 2: one a line. */
const requirements = read('tools/dev/test/asvs-5.0-level-2.txt')
  .trimEnd()
  .split('\n')
  .map((line) => line.split(' ') as [number: string, level: string]);

type Row = { number: string; level: string; how: string; shownBy: string };

/** The rows of the page's tables that begin with a number: of a requirement, or of a whole section. */
const rows: Row[] = read('docs/asvs.md')
  .split('\n')
  .filter((line) => /^\| \d/.test(line))
  .map((line) => {
    const [, number = '', level = '', , how = '', shownBy = ''] = line.split('|').map((cell) => cell.trim());
    return { number, level, how, shownBy };
  });

const isSection = ({ number }: Row) => number.split('.').length === 2;
const covers = (row: Row, number: string) =>
  isSection(row) ? number.startsWith(`${row.number}.`) : row.number === number;

/** Each test that a row names: its file, and a part of its title. */
const tests = rows.flatMap(({ number, shownBy }) =>
  [...shownBy.matchAll(/`([^`]+\.test\.ts)` "([^"]+)"/g)].map(([, file = '', title = '']) => ({
    number,
    file,
    title,
  })),
);

describe('docs/asvs.md', () => {
  it('has one row, of its own or of its section, for each requirement, with its level', () => {
    expect(requirements).toHaveLength(253);
    const found = requirements.map(([number, level]) => ({
      number,
      levels: rows.filter((row) => covers(row, number)).map((row) => isSection(row) || row.level === level),
    }));
    expect(found.filter(({ levels }) => levels.join() !== 'true')).toEqual([]);
  });

  it('has no row of a requirement that the standard does not have', () => {
    const unknown = rows.filter((row) => !requirements.some(([number]) => covers(row, number)));
    expect(unknown.map(({ number }) => number)).toEqual([]);
  });

  it('shows each by a test, or says why there is none, what is missing, or why it does not apply', () => {
    const silent = rows.filter(
      ({ number, how, shownBy }) =>
        !how.startsWith('Does not apply') &&
        !/no test: \S|not met\b[^;|]*: \S/.test(shownBy) &&
        !tests.some((test) => test.number === number),
    );
    expect(silent.map(({ number }) => number)).toEqual([]);
  });

  it('names only tests that there are', () => {
    expect(tests.length).toBeGreaterThan(150);
    const wrong = tests.filter(
      ({ file, title }) => !existsSync(join(root, file)) || !read(file).includes(title),
    );
    expect(wrong).toEqual([]);
  });

  it('says at its top how many apply, and which are not met', () => {
    const notMet = rows.filter(({ shownBy }) => shownBy.includes('not met')).map(({ number }) => number);
    const notApplying = requirements.filter(([number]) =>
      rows.some((row) => covers(row, number) && row.how.startsWith('Does not apply')),
    ).length;
    const met = requirements.length - notApplying - notMet.length;
    const summary = /^Of (\d+) requirements (\d+) do not apply, (\d+) are met.*in part: ([\d., ]+)\.$/m.exec(
      read('docs/asvs.md'),
    );
    expect(summary?.slice(1)).toEqual([
      String(requirements.length),
      String(notApplying),
      String(met),
      notMet.join(', '),
    ]);
  });
});

describe('docs/security.md', () => {
  const page = read('docs/security.md');

  it('names every secret setting of every service, in the table of keys', () => {
    const [, keys = ''] = page.split('## Keys and algorithms');
    const secrets = Object.values(serviceConfigs)
      .flatMap(settingsOf)
      .filter(({ isSecret }) => isSecret)
      .map(({ name }) => name);
    expect(new Set(secrets).size).toBeGreaterThan(10);
    expect(secrets.filter((name) => !keys.includes(`\`${name}\``))).toEqual([]);
  });

  it('names only files that there are', () => {
    const files = [...page.matchAll(/`((?:deploy|libs|services|tools)\/[^`]+)`/g)].map(
      ([, file = '']) => file,
    );
    expect(files.length).toBeGreaterThan(30);
    expect(files.filter((file) => !existsSync(join(root, file)))).toEqual([]);
  });
});

it.each(['docs/asvs.md', 'docs/security.md', 'SECURITY.md'])('%s links only to what is there', (file) => {
  // The target of a link within the repository, without its anchor.
  const links = [...read(file).matchAll(/\]\((?!https?:|#)([^)#]+)/g)].map(([, to = '']) => to);
  expect(links.length).toBeGreaterThan(0);
  expect(links.filter((to) => !existsSync(join(root, file, '..', to)))).toEqual([]);
});
