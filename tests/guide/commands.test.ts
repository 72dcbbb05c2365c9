import { existsSync, globSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from '@jest/globals';

const root = join(import.meta.dirname, '../..');
const folders = ['*.md', 'docs/**/*.md', 'deploy/**/*.md', 'tools/*/*.md', 'services/*/*.md', 'libs/*/*.md'];
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

it('commands of kubectl in our documents name their namespace: in another one they find nothing', () => {
  const clusterWide =
    /^(?:apply|(?:create|delete) namespace|kustomize|wait|config|version|diff)\b|^get (?:nodes|storageclass)/;
  const found = files.flatMap((file) =>
    [...readFileSync(join(root, file), 'utf8').matchAll(/\bkubectl ((?!-n |exec`)[a-z][^`\n]*)/g)]
      .map(([, words = '']) => ({ file, words }))
      .filter(({ words }) => !clusterWide.test(words)),
  );
  expect(found).toEqual([]);
});

describe('the links of our documents', () => {
  /** Without code, which has brackets of its own. */
  const proseOf = (text: string) =>
    text.replaceAll(/^```[\s\S]*?^```$/gm, '').replaceAll(/`[^`\n]*`/g, 'code');

  /** The anchors of its headings, as GitHub makes them. */
  function anchorsOf(file: string): Set<string> {
    const text = readFileSync(join(root, file), 'utf8').replaceAll(/^```[\s\S]*?^```$/gm, '');
    const headings = [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) => heading);
    return new Set(
      headings.map((heading) =>
        heading
          .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
          .toLowerCase()
          .replaceAll(/[^\p{L}\p{N}_ -]/gu, '')
          .replaceAll(' ', '-'),
      ),
    );
  }

  /** What a link leads to that there is not. */
  function isMissing(file: string, link: string): boolean {
    const [to = '', anchor] = link.split('#');
    const target = to === '' ? file : join(dirname(file), to);
    if (!existsSync(join(root, target))) return true;
    return anchor !== undefined && target.endsWith('.md') && !anchorsOf(target).has(anchor);
  }

  it('are checked: a file and a heading that are not there are found', () => {
    expect(isMissing('docs/people/README.md', 'none.png')).toBe(true);
    expect(isMissing('README.md', 'docs/glossary.md#none')).toBe(true);
    expect(isMissing('README.md', 'docs/glossary.md#people-and-callers')).toBe(false);
  });

  it('lead to files and headings that there are', () => {
    const links = files.flatMap((file) =>
      [
        ...proseOf(readFileSync(join(root, file), 'utf8')).matchAll(/\]\((?!https?:|mailto:)([^)\s]+)\)/g),
      ].map(([, link = '']) => ({ file, link })),
    );
    expect(links.length).toBeGreaterThan(300);
    expect(links.filter(({ file, link }) => isMissing(file, link))).toEqual([]);
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

  it('has one moving picture, of at most 3 MB, and says which command makes it', () => {
    const pictures = targets(text).filter((to) => /\.(gif|png)$/.test(to));
    const moving = pictures.filter((to) => to.endsWith('.gif'));
    expect([pictures[0], moving]).toEqual(['docs/pictures/demo.gif', ['docs/pictures/demo.gif']]);
    const file = join(root, moving[0] ?? '');
    expect(statSync(file).size).toBeLessThanOrEqual(3 * 1024 * 1024);
    // Each picture of a GIF has a graphic control extension (GIF89a, 23).
    expect(readFileSync(file).toString('latin1').split('\x21\xf9\x04').length).toBeGreaterThan(3);
    expect(text).toContain('`npm run pictures:film`');
  });

  it('begins with two commands', () => {
    const [, block = ''] = /^## Start it\n\n```sh\n([\s\S]*?)^```$/m.exec(text) ?? [];
    const commands = block
      .trim()
      .split('\n')
      .map((line) => line.split('#')[0]?.trim());
    expect(commands).toEqual(['npm start', 'npm run demo:advance']);
  });

  it('leads to what a guest of the project looks for', () => {
    const wanted = [
      'docs/partners/README.md',
      'docs/operations.md',
      'CHANGELOG.md',
      'CODE_OF_CONDUCT.md',
      'SECURITY.md',
    ];
    expect(targets(text)).toEqual(expect.arrayContaining(wanted));
    const templates = globSync('.github/ISSUE_TEMPLATE/*.yml', { cwd: root }).map((file) =>
      readFileSync(join(root, file), 'utf8'),
    );
    const forms = templates.filter((template) => /^name: /m.test(template));
    expect(forms.length).toBeGreaterThanOrEqual(2);
    for (const form of forms) expect(form).toMatch(/^description: .+[\s\S]*^body:$/m);
  });

  it('names only commands that there are', () => {
    const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { scripts: object };
    const named = [...text.matchAll(/npm run ([\w:-]+)/g)].map(([, name = '']) => name);
    expect(named).toContain('demo:advance');
    expect(named.filter((name) => !(name in scripts))).toEqual([]);
  });
});
