import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TempFolder, tempFolder } from '@casewatch/testing';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { parse } from 'yaml';
import { ROOT } from '../src/options.ts';

type Step = { id?: string; run?: string; uses?: string; env?: Record<string, string> };
type Job = {
  needs?: string;
  permissions: Record<string, string>;
  outputs?: Record<string, string>;
  steps: Step[];
};
const workflow = parse(readFileSync(join(ROOT, '.github/workflows/release.yml'), 'utf8')) as {
  on: { push: { tags: string[] } };
  permissions: object;
  jobs: Record<'images' | 'release', Job>;
};
const { images, release } = workflow.jobs;
const stepOf = ({ steps }: Job, id: string) => steps.find((step) => step.id === id);

const changelog = `# Changelog

## Unreleased

- tomorrow

## 0.2.0 - 2026-12-01

### Added

- arm64

## 0.1.0

The first version.
`;

let folder: TempFolder;
beforeEach(async () => {
  folder = await tempFolder();
  mkdirSync(join(folder.path, 'tools/dev'), { recursive: true });
  cpSync(join(ROOT, 'tools/dev/release-notes.mjs'), join(folder.path, 'tools/dev/release-notes.mjs'));
  writeFileSync(join(folder.path, 'CHANGELOG.md'), changelog);
});
afterEach(() => folder.remove());

describe('the release workflow', () => {
  it('runs for tags of versions, and gives each job the rights that it needs and no other', () => {
    expect(workflow.on).toEqual({ push: { tags: ['v*'] } });
    expect(workflow.permissions).toEqual({});
    expect(images.permissions).toEqual({ contents: 'read', packages: 'write', 'id-token': 'write' });
    expect(release.permissions).toEqual({ contents: 'write' });
    expect([release.needs, Object.keys(workflow.jobs)]).toEqual(['images', ['images', 'release']]);
  });

  it('builds for both platforms, with what emulates the second one before the builder starts', () => {
    const commands = images.steps.map(({ run = '' }) => run);
    const at = (part: string) => commands.findIndex((command) => command.includes(part));
    expect(at('--platforms linux/amd64,linux/arm64')).toBeGreaterThan(at('docker buildx create'));
    expect(at('qemu-user-static')).toBeGreaterThan(-1);
    expect(at('docker buildx create')).toBeGreaterThan(at('qemu-user-static'));
    // The notes are tried before the first push.
    expect(at('release-notes.mjs')).toBeGreaterThan(-1);
    expect(at('--push')).toBeGreaterThan(at('release-notes.mjs'));
  });

  it('makes the release with the digests and the changelog as its files, and the section of the version as its notes', () => {
    const bin = join(folder.path, 'bin');
    mkdirSync(bin);
    // In place of GitHub's client: it keeps what it is given.
    writeFileSync(join(bin, 'gh'), `#!/bin/bash\nprintf '%s\\n' "$@" > gh.txt\ncat "$4" "$5" > /dev/null\n`);
    chmodSync(join(bin, 'gh'), 0o755);
    const component = 'apiVersion: kustomize.config.k8s.io/v1alpha1\nkind: Component\nimages: []';
    const bash = (run = '', env: Record<string, string> = {}) =>
      execFileSync('bash', ['-euo', 'pipefail', '-c', run], {
        cwd: folder.path,
        env: { PATH: `${bin}:${process.env.PATH}`, ...env },
        // A shell whose input is a pipe reads the files of a login.
        stdio: ['ignore', 'pipe', 'pipe'],
      });
    // What the first job writes is what the second one reads.
    writeFileSync(join(folder.path, 'images.yaml'), `${component}\n`);
    const output = join(folder.path, 'output');
    bash(stepOf(images, 'component')?.run, { GITHUB_OUTPUT: output });
    const [, name, end, text] = /^(\w+)<<(.+)\n([\s\S]*?)\n\2\n$/.exec(readFileSync(output, 'utf8')) ?? [];
    expect([name, end, text]).toEqual(['text', expect.any(String), component]);
    expect(images.outputs).toEqual({ component: `\${{ steps.component.outputs.${name} }}` });

    const publish = stepOf(release, 'publish');
    expect(publish?.env?.COMPONENT).toBe(`\${{ needs.images.outputs.component }}`);
    bash(publish?.run, { VERSION: 'v0.2.0', COMPONENT: text ?? '' });
    const read = (file: string) => readFileSync(join(folder.path, file), 'utf8');
    expect(read('gh.txt').trim().split('\n')).toEqual([
      ...['release', 'create', 'v0.2.0', 'images.yaml', 'CHANGELOG.md'],
      ...['--verify-tag', '--title', 'v0.2.0', '--notes-file', 'notes.md'],
    ]);
    expect(read('images.yaml')).toBe(`${component}\n`);
    expect(read('notes.md')).toBe('### Added\n\n- arm64\n');
  });

  it.each(['v0.3.0', 'v0.2', 'v', ''])('refuses a tag without a section of the changelog: %j', (version) => {
    const { status, stderr, stdout } = spawnSync('node', ['tools/dev/release-notes.mjs', version], {
      cwd: folder.path,
      encoding: 'utf8',
    });
    expect([status, stdout, stderr]).toEqual([1, '', expect.stringMatching(/^CHANGELOG\.md has no section/)]);
  });
});

it('our changelog has the section of the version of package.json, and one for the next', () => {
  const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { version: string };
  const sections = [...readFileSync(join(ROOT, 'CHANGELOG.md'), 'utf8').matchAll(/^## (\S+)/gm)];
  expect(sections.map(([, name]) => name)).toEqual(expect.arrayContaining(['Unreleased', version]));
});
