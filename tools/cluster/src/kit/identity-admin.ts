import { exec } from './kubectl.ts';

/** Runs the operator's command in a pod of identity and returns its JSON. */
export async function identityAdmin<T>(words: readonly string[]): Promise<T> {
  const command = ['node', 'service/src/admin/main.ts', ...words, '--json'];
  const { code, stdout, stderr } = await exec('deploy/identity', 'identity', command);
  if (code !== 0) throw new Error(`${words.join(' ')} ended with ${code}: ${stderr.slice(0, 200)}`);
  return JSON.parse(stdout.trim().split('\n').at(-1) ?? '') as T;
}
