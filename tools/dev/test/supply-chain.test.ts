import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';

const ROOT = join(import.meta.dirname, '../../..');

type LockEntry = { version?: string; link?: boolean; integrity?: string; resolved?: string };

function lockEntries(): [path: string, entry: LockEntry][] {
  const lock = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, LockEntry>;
  };
  const ours = /^$|^(?:libs|services|tools)\/[^/]+$/; // the root and the workspaces: no package comes from outside
  return Object.entries(lock.packages).filter(([path, { link }]) => !ours.test(path) && !link);
}

it('every package in the lock file has a hash, so npm ci refuses other content', () => {
  const entries = lockEntries();
  expect(entries.length).toBeGreaterThan(500);
  const without = entries.filter(([, { integrity }]) => !/^sha512-/.test(integrity ?? ''));
  expect(without.map(([path, { version }]) => `${path} ${version}`)).toEqual([]);
});

it('the lock file names no download address: every machine uses its own registry', () => {
  const named = lockEntries().filter(([, { resolved }]) => resolved !== undefined);
  expect(named.map(([path]) => path)).toEqual([]);
});

const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');
const filesIn = (folder: string, ending: RegExp) =>
  readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => ending.test(name))
    .map((name) => `${folder}/${name}`);
const texts = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].map(([, found = '']) => found);

/** `mongo:6` and so on: what deploy/images.Dockerfile names with a digest. */
const locked = texts(read('deploy/images.Dockerfile'), /^FROM (\S+:\S+)@sha256:[0-9a-f]{64} AS [a-z]+$/gm);
const lockedNames = locked.map((reference) => reference.split(':')[0]);

it('every image from outside stands with its digest in one file', () => {
  expect(texts(read('deploy/images.Dockerfile'), /^(FROM .*)$/gm)).toHaveLength(locked.length);
  expect(locked.length).toBeGreaterThan(0);
});

it('the Dockerfile begins with an image of that file, and with nothing else', () => {
  const text = read('Dockerfile');
  expect(locked).toEqual(expect.arrayContaining(texts(text, /^ARG NODE_IMAGE=(\S+)$/gm)));
  const stages = texts(text, /^FROM \S+ AS (\S+)$/gm);
  const bases = texts(text, /^FROM (\S+)/gm).filter((base) => !stages.includes(base));
  expect(bases.map((base) => base.replace(/[${}]/g, ''))).toEqual(['NODE_IMAGE']);
});

it('compose and the tests in containers take the same images, each movable by its variable', () => {
  const compose = texts(read('docker-compose.yml'), /^ +image: (\S+)$/gm);
  const outside = compose.filter((image) => !image.startsWith('casewatch/'));
  expect(outside.length).toBeGreaterThan(0);
  for (const image of outside) expect(locked).toContain(/^\$\{[A-Z]+_IMAGE:-(\S+)\}$/.exec(image)?.[1]);
  const tests = texts(read('tools/testing/src/containers.ts'), /_IMAGE \|\| '([^']+)'/g);
  expect(tests).toHaveLength(2);
  expect(locked).toEqual(expect.arrayContaining(tests));
});

it('manifests name our own images and those of that file', () => {
  const files = filesIn('deploy/k8s', /\.ya?ml$/);
  const images = files.flatMap((file) => texts(read(file), /^ +image: (\S+)$/gm));
  const foreign = images.filter((image) => !/^casewatch\/[a-z]+$/.test(image));
  expect(foreign.length).toBeGreaterThan(0);
  expect(lockedNames).toEqual(expect.arrayContaining(foreign));
  const demo = read('deploy/k8s/overlays/demo/kustomization.yaml');
  for (const name of new Set(foreign)) {
    const [tag] = texts(demo, new RegExp(`- name: ${name}\n +newTag: "?([^"\n]+)"?`, 'g'));
    expect(locked).toContain(`${name}:${tag}`);
  }
});

it('workflows use actions by commit, and images by the digests of that file', () => {
  for (const file of filesIn('.github/workflows', /\.ya?ml$/)) {
    const text = read(file);
    const loose = texts(text, /^ *- uses: (.*)$/gm).filter(
      (action) => !/^[\w/-]+@[0-9a-f]{40} # v\S+$/.test(action),
    );
    expect([file, loose]).toEqual([file, []]);
    const pulled = texts(text, /(?:docker (?:pull|run)(?: --\S+)*|--image|image=) ?(\S+)/g);
    const byTag = pulled.filter((image) => !/^"?\$[A-Z]+_IMAGE"?$/.test(image));
    expect([file, byTag]).toEqual([file, []]);
    expect([file, /images:locked/.test(text) || pulled.length === 0]).toEqual([file, true]);
  }
});

it('a release is built from the digests and leaves with a bill of materials, its provenance and a signature', () => {
  const release = read('.github/workflows/release.yml');
  expect(release).toMatch(/images -- --push \S+ --platforms linux\/amd64,linux\/arm64 /);
  expect(release).toMatch(/cosign" sign --yes < pushed\.txt/);
  expect(release).toMatch(/id-token: write/);
});
