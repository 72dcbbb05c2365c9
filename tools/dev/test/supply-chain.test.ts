import { readFileSync } from 'node:fs';
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
