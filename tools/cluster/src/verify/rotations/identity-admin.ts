import { exec } from '../kubectl.ts';
import { until } from '../wait.ts';

type PepperStatus = { keys_to_carry_over: { partner_id: number }[] };

/** A new key that signs access tokens, ten seconds from now. @returns its name */
export async function rotateSigningKey(): Promise<string> {
  const words = ['signing-key', 'rotate', '--lead-seconds', '10'];
  return (await identityAdmin<{ signing_key: { kid: string } }>(words)).signing_key.kid;
}

/**
 * Waits until these partners' keys hang on the current pepper; each use carries a key over, once the gateway asks again.
 * @returns how many keys of others still hang on a former one
 */
export async function keysCarriedOver(partnerIds: readonly number[]): Promise<number> {
  const left = await until(
    async () => {
      const { keys_to_carry_over: left } = await identityAdmin<PepperStatus>(['secret-pepper', 'status']);
      return left.some(({ partner_id }) => partnerIds.includes(partner_id)) ? null : { count: left.length };
    },
    { what: "the use of the partners' keys", timeoutMs: 120_000, intervalMs: 3_000 },
  );
  return left.count;
}

/** Runs the operator's command in a pod of identity. */
export async function identityAdmin<T>(words: readonly string[]): Promise<T> {
  const command = ['node', 'service/src/admin/main.ts', ...words, '--json'];
  const { code, stdout, stderr } = await exec('deploy/identity', 'identity', command);
  if (code !== 0) throw new Error(`${words.join(' ')} ended with ${code}: ${stderr.slice(0, 200)}`);
  return JSON.parse(stdout.trim().split('\n').at(-1) ?? '') as T;
}
