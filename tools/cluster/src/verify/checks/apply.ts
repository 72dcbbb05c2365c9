import { list, tryKubectl } from '../../kit/kubectl.ts';
import { rolledOut } from '../../kit/rollouts.ts';
import type { Check } from '../check.ts';
import { DEPLOY } from '../settings.ts';

const promisedMs = 120_000;

export const noWarnings: Check = {
  name: 'admission',
  promise: 'no admission warning, every field known',
  async run() {
    const args = ['apply', '--kustomize', DEPLOY, '--dry-run=server', '--validate=strict'];
    const { code, stderr } = await tryKubectl(['--warnings-as-errors', ...args]);
    return {
      ok: code === 0 && stderr.trim() === '',
      measured: stderr.trim().replaceAll('\n', '; ') || 'none',
    };
  },
};

export const comesUp: Check = {
  name: 'start',
  promise: `all available < ${promisedMs / 1000} s after apply`,
  async run({ say }) {
    const started = performance.now();
    const { code, stderr } = await tryKubectl(['apply', '--kustomize', DEPLOY]);
    if (code !== 0) return { ok: false, measured: stderr };
    await rolledOut(600_000, say);
    const seconds = (performance.now() - started) / 1000;
    const pods = await list('pods');
    return {
      ok: seconds * 1000 < promisedMs && stderr.trim() === '',
      measured: `${seconds.toFixed(0)} s, ${pods.length} pods${stderr.trim() && `; warnings: ${stderr.trim()}`}`,
    };
  },
};

export const applies: Check = {
  name: 'second-apply',
  promise: 'kubectl diff is empty after a second apply',
  async run() {
    const again = await tryKubectl(['apply', '--kustomize', DEPLOY]);
    const { code, stdout, stderr } = await tryKubectl(['diff', '--kustomize', DEPLOY]);
    const ok = again.code === 0 && code === 0 && stdout.trim() === '';
    return { ok, measured: ok ? 'empty' : `exit code ${code}: ${(stdout || stderr).slice(0, 300)}` };
  },
};
