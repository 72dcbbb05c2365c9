import { parseAllDocuments } from 'yaml';
import { run } from '../kit/run.ts';
import { checkovSkips, kubeScoreSkips } from './skips.ts';
import type { Tools } from './tools.ts';

const kubernetesVersion = '1.34';

/** Kinds of Kubernetes itself, whose schemas the validator has. */
const ofKubernetes = /^(?:v1|(?:apps|autoscaling|batch|networking\.k8s\.io|policy)\/v\d)$/;
/** Kinds that a cluster has only with a controller; their schemas are in the cluster. */
const ofControllers = new Set(['cert-manager.io/v1', 'gateway.networking.k8s.io/v1', 'networking.gke.io/v1']);

/** The objects whose schema the validator knows, and a finding for each one that nobody knows. */
export function splitKinds(text: string): { known: string; unknown: string[] } {
  const documents = parseAllDocuments(text).map((document) => ({
    text: document.toString(),
    object: document.toJS() as { apiVersion: string; kind: string; metadata: { name: string } },
  }));
  const known = documents.filter(({ object }) => ofKubernetes.test(object.apiVersion));
  const unknown = documents.filter(
    ({ object }) => !ofKubernetes.test(object.apiVersion) && !ofControllers.has(object.apiVersion),
  );
  return {
    known: known.map((document) => document.text.replace(/^---\n/, '')).join('---\n'),
    unknown: unknown.map(
      ({ object: { apiVersion, kind, metadata } }) => `${kind} ${metadata.name}: nobody knows ${apiVersion}`,
    ),
  };
}

/** Checks every object against the schema of its kind, also for unknown fields. @returns findings */
export async function validate({ kubernetesValidate }: Tools, file: string): Promise<string[]> {
  const { code, stdout, stderr } = await run(kubernetesValidate, ['-k', kubernetesVersion, '--strict', file]);
  if (code === 0) return [];
  return lines(stdout + stderr).filter((line) => !/^INFO/.test(line));
}

type Report = { results?: { failed_checks?: { check_id: string; check_name: string; resource: string }[] } };

export async function securityScan({ checkov }: Tools, file: string): Promise<string[]> {
  const skip = Object.keys(checkovSkips).join(',');
  const args = ['-f', file, '--framework', 'kubernetes', '--skip-download', '--quiet', '--compact'];
  const { stdout, stderr } = await run(checkov, [...args, '--output', 'json', '--skip-check', skip]);
  if (!stdout.trim().startsWith('{'))
    return [`checkov failed: ${stderr.slice(-300) || stdout.slice(0, 300)}`];
  const { results } = JSON.parse(stdout) as Report;
  const failed = results?.failed_checks ?? [];
  return failed.map(({ check_id, check_name, resource }) => `${check_id} ${resource}: ${check_name}`);
}

export async function score({ kubeScore }: Tools, file: string): Promise<string[]> {
  const ignored = Object.keys(kubeScoreSkips).flatMap((test) => ['--ignore-test', test]);
  const args = ['score', '--output-format', 'ci', '--ignore-container-cpu-limit', ...ignored, file];
  const { stdout, stderr } = await run(kubeScore, args);
  if (stdout.trim() === '') return [`kube-score failed: ${stderr.slice(0, 300)}`];
  return lines(stdout).filter((line) => /^\[(CRITICAL|WARNING)\]/.test(line));
}

function lines(text: string): string[] {
  return text.split('\n').filter((line) => line.trim() !== '');
}
