import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { tempFolder } from '@casewatch/testing';
import { describe, expect, it } from '@jest/globals';
import { parse } from 'yaml';
import { ROOT } from '../../../dev/src/options.ts';
import { DEPLOY } from '../../src/verify/settings.ts';

const read = (path: string) => readFileSync(join(DEPLOY, path), 'utf8');

describe('members of MongoDB and NATS', () => {
  it.each(['mongodb', 'nats'])('of %s never share a node, except in the demonstration', (name) => {
    const { spec } = parse(read(`components/${name}/statefulset.yaml`));
    const { podAntiAffinity } = spec.template.spec.affinity;
    expect(podAntiAffinity).toEqual({
      requiredDuringSchedulingIgnoredDuringExecution: [
        {
          topologyKey: 'kubernetes.io/hostname',
          labelSelector: { matchLabels: { 'app.kubernetes.io/name': name } },
        },
      ],
    });
    // A rule that does not match its own pods spreads nothing.
    expect(spec.template.metadata.labels['app.kubernetes.io/name']).toBe(name);
    const saying = (word: string) =>
      readdirSync(join(DEPLOY, 'overlays')).filter((overlay) =>
        read(`overlays/${overlay}/kustomization.yaml`).includes(word),
      );
    expect([saying('\n  - ../../components/one-node'), saying('podAntiAffinity')]).toEqual([['demo'], []]);
  });
});

describe('components/keda', () => {
  it('scales notifier by a metric that the notifier has, within the bounds of the autoscaler that it replaces', () => {
    const { spec } = parse(read('components/keda/scaled-object.yaml'));
    const query: string = spec.triggers[0].metadata.query;
    const [metric = ''] = /notifier_\w+/.exec(query) ?? [];
    expect(readFileSync(join(ROOT, 'docs/metrics.md'), 'utf8')).toContain(`| \`${metric}\` | gauge |`);
    // The labels that both ways of scraping give (ADR 0090).
    expect(query).toContain('job="casewatch"');
    const hpa = parse(read('base/notifier/hpa.yaml'));
    expect([spec.minReplicaCount, spec.maxReplicaCount, spec.scaleTargetRef.name]).toEqual([
      hpa.spec.minReplicas,
      hpa.spec.maxReplicas,
      hpa.spec.scaleTargetRef.name,
    ]);
    const { patches } = parse(read('components/keda/kustomization.yaml'));
    expect(parse(patches[0].patch)).toMatchObject({
      kind: hpa.kind,
      metadata: { name: hpa.metadata.name },
      $patch: 'delete',
    });
  });
});

describe('components/backup', () => {
  it('runs the program of this repository, one at a time', () => {
    expect(read('components/backup/erased-users.js')).toBe(
      readFileSync(join(ROOT, 'deploy/erased-users.js'), 'utf8'),
    );
    const { spec } = parse(read('components/backup/cron-job.yaml'));
    expect(spec.concurrencyPolicy).toBe('Forbid');
    const hours = readFileSync(join(ROOT, 'docs/operations/backup.md'), 'utf8');
    expect([spec.schedule, hours]).toEqual([
      expect.stringMatching(/^\d+ \* \* \* \*$/),
      expect.stringContaining('1 hour'),
    ]);
  });

  /** The program with stand-ins for the two commands of MongoDB, which this machine may not have. */
  async function backUp(dump: string, erased: string) {
    const folder = await tempFolder();
    const place = (name: string) => join(folder.path, name);
    for (const name of ['bin', 'backups', 'home']) mkdirSync(place(name));
    for (const [name, text] of Object.entries({ mongodump: dump, mongosh: erased })) {
      writeFileSync(join(place('bin'), name), `#!/bin/bash\n${text}\n`);
      chmodSync(join(place('bin'), name), 0o755);
    }
    writeFileSync(place('root'), 'a-password');
    const run = () =>
      execFileSync('bash', [join(DEPLOY, 'components/backup/backup.sh')], {
        env: {
          PATH: `${place('bin')}:${process.env.PATH}`,
          BACKUPS: place('backups'),
          PROGRAM: place('.'),
          HOME: place('home'),
          KEEP_DAYS: '14',
          MONGODB_URL: 'mongodb://root@host/',
          ROOT_PASSWORD_FILE: place('root'),
        },
        stdio: 'pipe',
      });
    return {
      run,
      backups: () => readdirSync(place('backups')),
      read: (path: string) => readFileSync(join(place('backups'), path), 'utf8'),
      addressOfDump: () => readFileSync(join(place('home'), 'seen'), 'utf8'),
      remove: folder.remove,
    };
  }

  const wholeDump =
    'for a in "$@"; do case $a in --archive=*) { echo "$@"; env; cat "$HOME/backup.yaml" >&3; } > "$(echo "$a" | cut -d= -f2)" 3> "$HOME/seen";; esac; done';

  /** As mongosh: it prints the value of --eval, if there is one. */
  const erasedList = 'case "$*" in *"--eval void "*) ;; *) echo test ;; esac; echo "[]"';

  it('leaves a folder with the dump and the list of the erased, and shows no password to other programs', async () => {
    const backup = await backUp(wholeDump, erasedList);
    backup.run();
    const [folder = ''] = backup.backups();
    expect(folder).toMatch(/^\d{4}-\d\d-\d\dT\d\d-\d\d-\d\dZ$/);
    expect(backup.read(`${folder}/erased-users.json`)).toBe('[]\n');
    const words = backup.read(`${folder}/mongodb.archive.gz`);
    expect(words).toContain('--oplog');
    expect(words).toContain('HOME=');
    expect(words).not.toContain('a-password');
    expect(backup.addressOfDump()).toBe('uri: mongodb://root:a-password@host/\n');
    await backup.remove();
  });

  it.each([
    ['the dump', `${wholeDump}; exit 1`, 'echo "[]"'],
    ['the list of the erased', wholeDump, 'exit 1'],
    ['nothing but the list', wholeDump, ':'],
  ])('leaves no folder that looks like a backup when it fails: %s', async (_, dump, erased) => {
    const backup = await backUp(dump, erased);
    expect(backup.run).toThrow();
    expect(backup.backups()).toEqual(['.unfinished']);
    await backup.remove();
  });
});
