import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';

const root = join(import.meta.dirname, '../..');
const folders = ['*.md', 'docs/**/*.md', 'tools/*/*.md', 'services/*/*.md', 'libs/*/*.md'];
const files = globSync(folders, { cwd: root });

type Lock = { packages: Record<string, { integrity?: string; link?: boolean }> };
const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as Lock;
/** Known to come from the registry: the hash of its tarball stands in the lock file. */
const isPublished = (name: string) => {
  const row = packages[`node_modules/${name}`];
  return row !== undefined && row.link !== true && row.integrity !== undefined;
};

// What runs or installs a package from a registry, with its options, and the name: `npx a`, `npm exec -- a`, `npm install a`.
const command =
  /\b(?:npx|npm exec|npm (?:i|install|add)|pnpm dlx|yarn dlx|bunx)(?: +-[\w=-]*)* +([@\w][\w@./-]*)/g;

/** Names of packages, without versions. */
function packagesIn(text: string): string[] {
  return [...text.matchAll(command)].map(([, name = '']) => name.replace(/(?<=.)@.*$/, ''));
}

describe('the commands of our documents', () => {
  it('are found', () => {
    const text = 'run `npx casewatch-listen --to x` or npm exec -- tsc, npm i --save @a/b@1, `npm install`';
    expect(packagesIn(text)).toEqual(['casewatch-listen', 'tsc', '@a/b']);
    expect(files.length).toBeGreaterThan(50);
    expect([isPublished('jest'), isPublished('casewatch-listen')]).toEqual([true, false]);
  });

  it('run no package that is not published: whoever registers its name would run code beside the keys of a reader', () => {
    const found = files.flatMap((file) =>
      packagesIn(readFileSync(join(root, file), 'utf8')).map((name) => ({ file, name })),
    );
    expect(found.filter(({ name }) => !isPublished(name))).toEqual([]);
  });
});

describe('the README', () => {
  const text = readFileSync(join(root, 'README.md'), 'utf8');
  const offer = text.slice(text.indexOf('## What you get'), text.indexOf('## Start it'));
  const targets = (line: string) => [...line.matchAll(/\]\((?!https:)([^)#]+)/g)].map(([, to = '']) => to);

  it('offers eight things, each with a link to its proof', () => {
    const lines = offer.split('\n').filter((line) => line.startsWith('- '));
    expect(lines).toHaveLength(8);
    expect(lines.filter((line) => targets(line).length === 0)).toEqual([]);
  });

  it('links only to files that there are', () => {
    const missing = targets(text).filter((to) => !existsSync(join(root, to)));
    expect(missing).toEqual([]);
  });

  it('names only commands that there are', () => {
    const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { scripts: object };
    const named = [...text.matchAll(/npm run ([\w:-]+)/g)].map(([, name = '']) => name);
    expect(named).toContain('demo:advance');
    expect(named.filter((name) => !(name in scripts))).toEqual([]);
  });
});
