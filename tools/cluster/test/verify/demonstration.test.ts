import { execFile } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TempFolder, tempFolder } from '@casewatch/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

const root = join(import.meta.dirname, '../../../..');
const verify = join(root, 'tools/cluster/src/verify/main.ts');
const backup = join(root, 'tools/cluster/src/backup/main.ts');

const ofDemo = { 'casewatch/demonstration': 'yes', 'app.kubernetes.io/instance': 'demo' };
const namespace = (labels: Record<string, string>) =>
  JSON.stringify({ kind: 'Namespace', metadata: { labels } });

/** What `kubectl get namespace` answers, and its exit code. */
type Answer = { stdout?: string; stderr?: string; code?: number };

let folder: TempFolder;
beforeAll(async () => {
  folder = await tempFolder();
});
afterAll(() => folder.remove());

let count = 0;

/** Runs a program with a kubectl that only notes its calls and answers questions for the namespace. */
async function run(
  program: string,
  args: readonly string[],
  { stdout = '', stderr = '', code = 0 }: Answer,
  env = {},
) {
  const place = join(folder.path, `run-${count++}`);
  mkdirSync(place);
  const calls = join(place, 'calls');
  const loaded = join(place, 'loaded');
  const stub = `#!/bin/sh
echo "$*" >> ${calls}
case "$*" in
  *"get namespace "*) printf '%s' '${stdout}'; printf '%s' '${stderr}' >&2; exit ${code};;
  *"get service gateway "*) printf ClusterIP;;
  *"apply --kustomize "*/overlays/verify) exit 1;;
  *"--output json"*) echo '{"items": []}';;
esac
`;
  writeFileSync(join(place, 'kubectl'), stub);
  chmodSync(join(place, 'kubectl'), 0o755);
  const environment = { PATH: `${place}:${process.env.PATH}`, LOAD_IMAGES: `touch ${loaded} #`, ...env };
  const exitCode = await new Promise<{ code: unknown; said: string }>((resolve) => {
    execFile(process.execPath, [program, ...args], { env: environment, timeout: 60_000 }, (error, out, err) =>
      resolve({ code: error === null ? 0 : error.code, said: out + err }),
    );
  });
  const lines = existsSync(calls) ? readFileSync(calls, 'utf8').trim().split('\n') : [];
  return { ...exitCode, calls: lines, hasLoaded: existsSync(loaded), place };
}

const question = '--namespace casewatch-demo get namespace casewatch-demo --ignore-not-found --output json';

const images = `kustomize ${root}/deploy/k8s`;
const volumes = '--namespace casewatch-demo get persistentvolumes --output json';

describe('verify:cluster', () => {
  const others: [string, Answer][] = [
    ['has no label', { stdout: namespace({}) }],
    ['has labels of production', { stdout: namespace({ 'app.kubernetes.io/instance': 'production' }) }],
    ['says no', { stdout: namespace({ ...ofDemo, 'casewatch/demonstration': 'no' }) }],
    ['says another word', { stdout: namespace({ ...ofDemo, 'casewatch/demonstration': 'true' }) }],
    [
      'has the label and is production',
      { stdout: namespace({ ...ofDemo, 'app.kubernetes.io/instance': 'production' }) },
    ],
    ['has no metadata', { stdout: '{}' }],
    ['is no object', { stdout: 'null' }],
    ['cannot be read', { stdout: '<html>' }],
    ['is not shown to this user', { stderr: 'Error from server (Forbidden)', code: 1 }],
    ['is unknown, because the API server does not answer', { stderr: 'connection refused', code: 1 }],
  ];
  const unlabelled = others[0]?.[1] ?? {};
  it.concurrent.each([
    ...others.map(([what, answer]) => [what, ['--fresh'], answer] as const),
    ['has no label, without --fresh', [], unlabelled] as const,
    ['has no label, for one check', ['pod-kills'], unlabelled] as const,
    ['has no label, for a release', ['--from', 'HEAD', 'release-roll'], unlabelled] as const,
  ])('changes nothing where the namespace %s', async (_what, args, answer) => {
    const { code, calls, hasLoaded, said } = await run(verify, args, answer);
    expect(calls).toEqual([question]);
    expect([code, hasLoaded]).toEqual([2, false]);
    expect(said).toMatch(/casewatch-demo|JSON/);
  });

  it.concurrent.each(['--force', '--namespace=casewatch'])('knows no option %s', async (flag) => {
    const { code, calls } = await run(verify, ['--fresh', flag], { stdout: namespace({}) });
    expect([code, calls]).toEqual([2, []]);
  });

  it.concurrent('deletes and creates the demonstration only, by its label, and asks again before each check', async () => {
    const { calls } = await run(verify, ['--fresh', 'admission'], { stdout: namespace(ofDemo) });
    expect(calls.filter((call) => !/apply .*--dry-run=server/.test(call))).toEqual([
      question,
      images,
      question,
      '--namespace casewatch-demo delete namespaces --selector=casewatch/demonstration=yes --field-selector=metadata.name=casewatch-demo --timeout=300s',
      volumes,
      volumes,
      question,
      question,
    ]);
    expect(calls).toHaveLength(9);
  });

  it.concurrent('creates the namespace where there is none, from the file that has the label, and never changes one', async () => {
    const { calls } = await run(verify, ['admission'], {});
    const creation = `--namespace casewatch-demo create --save-config --filename ${root}/deploy/k8s/overlays/demo/namespace.yaml`;
    expect(calls).toEqual([question, images, question, creation, question]);
    const file = readFileSync(join(root, 'deploy/k8s/overlays/demo/namespace.yaml'), 'utf8');
    expect(file).toMatch(/name: casewatch-demo\n[\s\S]*casewatch\/demonstration: "yes"/);
  });
});

it.concurrent('a check that calls the system deploys its NodePorts first, where there are none', async () => {
  const { code, calls, said } = await run(verify, ['rotations'], { stdout: namespace(ofDemo) });
  expect(calls.at(-1)).toBe(
    `--namespace casewatch-demo apply --kustomize ${root}/deploy/k8s/overlays/verify`,
  );
  expect([code, said]).toEqual([1, expect.stringContaining('overlay of the load test')]);
});

describe('backup and restore', () => {
  it.concurrent.each([
    ['backup', []],
    ['restore', []],
    ['restore', ['--namespace', '']],
  ])('%s needs the name of a namespace', async (command, args) => {
    const { code, calls, said } = await run(backup, [command, '/tmp/none', ...args], {});
    expect([code, calls]).toEqual([1, []]);
    expect(said).toMatch(/namespace/);
  });

  const changes = (calls: string[]) => calls.filter((call) => !/ get namespace /.test(call));
  const at = (name: string) => ['--namespace', name];

  async function restoreOf(origin: object | null, into: string, answer: Answer) {
    const from = join(folder.path, `backup-${count}`);
    mkdirSync(from);
    if (origin) writeFileSync(join(from, 'origin.json'), JSON.stringify(origin));
    return await run(backup, ['restore', from, ...at(into)], answer);
  }

  it.concurrent.each([
    [
      'the demonstration, in production',
      { namespace: 'casewatch-demo', demonstration: true },
      'casewatch',
      {},
    ],
    [
      'production, in the demonstration',
      { namespace: 'casewatch', demonstration: false },
      'casewatch-demo',
      ofDemo,
    ],
    ['nobody knows what', null, 'casewatch', {}],
  ])('restore refuses a backup of %s', async (_, origin, into, labels) => {
    const { code, calls } = await restoreOf(origin, into, { stdout: namespace(labels) });
    expect([code, changes(calls)]).toEqual([1, []]);
  });

  it.concurrent.each([
    ['that is missing', {}],
    ['that is unknown', { stderr: 'connection refused', code: 1 }],
  ])('backup and restore refuse a namespace %s', async (_, answer) => {
    const origin = { namespace: 'casewatch', demonstration: false };
    const restored = await restoreOf(origin, 'casewatch', answer);
    const kept = await run(backup, ['backup', join(folder.path, 'new'), ...at('casewatch')], answer);
    expect([restored.code, kept.code, changes(restored.calls), changes(kept.calls)]).toEqual([1, 1, [], []]);
  });

  it.concurrent('restore begins where the backup is of the same kind', async () => {
    const origin = { namespace: 'casewatch', demonstration: false };
    const { calls } = await restoreOf(origin, 'casewatch', { stdout: namespace({}) });
    expect(changes(calls)[0]).toMatch(/^--namespace casewatch get deployments/);
  });
});
