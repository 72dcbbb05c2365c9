import { execFile } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TempFolder, tempFolder } from '@casewatch/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { imagesIn } from '../../src/kit/manifest-images.ts';

const root = join(import.meta.dirname, '../../../..');
const verify = join(root, 'tools/cluster/src/verify/main.ts');
const rendered = `
  - image: casewatch/cases:dev
    initContainers:
      - image: "mongo:6"
      - name: sets-up
        image: mongo:6
  image: nats:2-alpine
`;
const labels = { 'casewatch/demonstration': 'yes', 'app.kubernetes.io/instance': 'demo' };

let folder: TempFolder;
beforeAll(async () => {
  folder = await tempFolder();
});
afterAll(() => folder.remove());

const volume = (name: string, namespace: string, policy: 'Retain' | 'Delete') => ({
  metadata: { name },
  spec: { claimRef: { namespace }, persistentVolumeReclaimPolicy: policy },
});
let count = 0;

/** Runs `verify:cluster --fresh admission` with stubs of kubectl and docker that note their calls. */
async function run(volumes: readonly object[], env: (place: string) => Record<string, string>) {
  const place = join(folder.path, `run-${count++}`);
  mkdirSync(place);
  const file = (name: string) => join(place, name);
  writeFileSync(file('namespace.json'), JSON.stringify({ kind: 'Namespace', metadata: { labels } }));
  writeFileSync(file('volumes.json'), JSON.stringify({ items: volumes }));
  writeFileSync(file('rendered.yaml'), rendered);
  const stubs = {
    kubectl: `case "$*" in
  *"get namespace "*) cat ${file('namespace.json')};;
  *"get persistentvolumes"*) cat ${file('volumes.json')};;
  kustomize*) cat ${file('rendered.yaml')};;
esac`,
    // This machine has NATS and no MongoDB.
    docker: `echo "$*" >> ${file('docker-calls')}
case "$*" in "image inspect mongo:6") exit 1;; esac`,
  };
  for (const [name, body] of Object.entries(stubs)) {
    writeFileSync(file(name), `#!/bin/sh\n[ ${name} = docker ] || echo "$*" >> ${file('calls')}\n${body}\n`);
    chmodSync(file(name), 0o755);
  }
  const text = (name: string) => (existsSync(file(name)) ? readFileSync(file(name), 'utf8').trim() : '');
  const environment = { PATH: `${place}:${process.env.PATH}`, ...env(place) };
  const { code, said } = await new Promise<{ code: unknown; said: string }>((resolve) => {
    execFile(
      process.execPath,
      [verify, '--fresh', 'admission'],
      { env: environment, timeout: 60_000 },
      (error, out, err) => resolve({ code: error === null ? 0 : error.code, said: out + err }),
    );
  });
  return { code, said, text };
}

describe('verify:cluster --fresh', () => {
  const kept = volume('local-1', 'casewatch-demo', 'Retain');
  const ofProduction = volume('local-2', 'casewatch', 'Retain');

  it.concurrent('loads every image of the manifests, and pulls those of others that are missing here', async () => {
    const { text, said } = await run([], (place) => ({ LOAD_IMAGES: `echo > ${place}/loaded` }));
    expect(said).toContain('loading 3 images');
    expect(text('loaded')).toBe('casewatch/cases:dev mongo:6 nats:2-alpine');
    expect(text('docker-calls').split('\n')).toEqual([
      'image inspect mongo:6',
      'pull mongo:6',
      'image inspect nats:2-alpine',
    ]);
  });

  it.concurrent('goes no further while a volume has the data of the last start', async () => {
    const { code, said, text } = await run([kept, ofProduction], () => ({}));
    expect(code).toBe(2);
    expect(said).toMatch(/local-1 still have.*AFTER_DELETE/);
    expect(said).not.toContain('local-2');
    expect(text('calls')).not.toContain('--dry-run=server');
  });

  it.concurrent('has AFTER_DELETE free its own volumes, and those alone', async () => {
    const { text } = await run([kept, ofProduction], (place) => ({
      AFTER_DELETE: `echo '{"items": []}' > ${place}/volumes.json; echo > ${place}/freed`,
    }));
    expect(text('freed')).toBe('local-1');
    expect(text('calls')).toContain('--dry-run=server');
  });

  it.concurrent('does not believe AFTER_DELETE', async () => {
    const { code, said } = await run([kept], () => ({ AFTER_DELETE: 'true' }));
    expect([code, said]).toEqual([2, expect.stringMatching(/local-1 still have/)]);
  });
});

it('every image of a manifest is found, with a digest and quotes too, and no other text', () => {
  const text = `${rendered}\n# image: not-this\n  imagePullPolicy: Always\n  image: 'a.example/b@sha256:0f'\n`;
  expect(imagesIn(text)).toEqual([
    'a.example/b@sha256:0f',
    'casewatch/cases:dev',
    'mongo:6',
    'nats:2-alpine',
  ]);
});
