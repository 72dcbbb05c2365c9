import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { run, runOrThrow } from '../kit/run.ts';
import { ROOT } from '../verify/settings.ts';

const wheels = ['kubernetes-validate==1.37.0', 'checkov==3.3.30'];
const kubeScore = 'github.com/zegl/kube-score/cmd/kube-score@v1.20.0';

export type Tools = { kubernetesValidate: string; checkov: string; kubeScore: string };

/**
 * Paths of the tools. The first use installs them into `.cache` (or CASEWATCH_CACHE) with the user's Python, pip and Go, so
 * that their mirrors and proxies apply. @throws Error naming the program that failed
 */
export async function findTools(say: (line: string) => void): Promise<Tools> {
  const cache = resolve(process.env.CASEWATCH_CACHE || join(ROOT, '.cache'));
  const venv = join(cache, 'manifests-venv');
  const bin = join(venv, 'bin');
  if (!(await hasWheels(bin))) {
    say(`Installing ${wheels.join(' and ')} into ${venv}, once; this takes a few minutes …`);
    await runOrThrow('python3', ['-m', 'venv', '--clear', venv]);
    const install = ['-m', 'pip', 'install', '--disable-pip-version-check', '--quiet'];
    await runOrThrow(join(bin, 'python'), [...install, ...wheels]);
  }
  const score = join(cache, 'bin/kube-score');
  if (!existsSync(score)) {
    say(`Building ${kubeScore}, once …`);
    const env = { ...process.env, GOBIN: join(cache, 'bin'), GOFLAGS: '-mod=mod' };
    await runOrThrow('go', ['install', kubeScore], { env });
  }
  return {
    kubernetesValidate: join(bin, 'kubernetes-validate'),
    checkov: join(bin, 'checkov'),
    kubeScore: score,
  };
}

async function hasWheels(bin: string): Promise<boolean> {
  const python = join(bin, 'python');
  if (!existsSync(python)) return false;
  const { stdout } = await run(python, ['-m', 'pip', 'freeze', '--disable-pip-version-check']);
  return wheels.every((wheel) => stdout.toLowerCase().replaceAll('_', '-').includes(wheel));
}
