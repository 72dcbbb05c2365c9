import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { parse } from 'yaml';
import { ROOT } from '../src/options.ts';

const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');

type StatefulSet = { spec: { template: { spec: { containers: { name: string; command: string[] }[] } } } };
type Compose = { services: Record<string, { command: string[] }> };

function kubernetes(): string {
  const { spec } = parse(read('deploy/k8s/components/mongodb/statefulset.yaml')) as StatefulSet;
  const { command = [] } = spec.template.spec.containers.find(({ name }) => name === 'mongod') ?? {};
  return command.join(' ');
}

const compose = () =>
  (parse(read('docker-compose.yml')) as Compose).services.mongodb?.command.join(' ') ?? '';
const development = () => read('tools/dev/src/servers/mongod.ts');

/** The value of an option of mongod, written with `=` or a space. */
function optionOf(option: string, text: string): number {
  return Number(new RegExp(`--${option}[= ](\\d+)`).exec(text)?.[1]);
}

// Without a size MongoDB takes 5 % of the disk, in which erased people stay for months.
describe('the log of operations of MongoDB, in which erased data stays for a while', () => {
  it.each<[string, () => string]>([
    ['deploy/k8s/components/mongodb', kubernetes],
    ['docker-compose.yml', compose],
    ['npm start', development],
  ])('has the documented size in %s', (_place, text) => {
    expect(optionOf('oplogSize', text())).toBe(128);
    for (const page of ['docs/security.md', 'docs/operations/backup.md'])
      expect([page, read(page).includes('128 MiB')]).toEqual([page, true]);
  });

  it('covers a day of a member that was away, where members copy from each other', () => {
    expect(optionOf('oplogMinRetentionHours', kubernetes())).toBe(24);
  });

  it('has a row in the table of data, beside the other places where data stays', () => {
    const [, table = ''] = read('docs/security.md').split('\n## Data\n');
    const rows = table.split('\n').filter((line) => line.startsWith('| '));
    for (const place of [
      /oplog/,
      /journal/,
      /volume snapshots/,
      /streams 7 days/,
      /\blogs\b/,
      /backups/,
      /`erased_users`/,
    ])
      expect([String(place), rows.some((row) => place.test(row))]).toEqual([String(place), true]);
  });
});
