import type { Logger, SecretBox } from '@casewatch/platform';
import type { Stores } from './stores.ts';

/**
 * Seals every signing key with the current pepper, so that a former one can be dropped (docs/adr/0023). Run at each start;
 * safe in many replicas at once. Those that have the former one in front can open it, too: it is in their ring.
 */
export async function resealSigningKeys(
  signingKeys: Stores['signingKeys'],
  box: SecretBox,
  log: Logger,
): Promise<void> {
  const count = await signingKeys.reseal(box);
  if (count > 0) log.info({ count }, 'signing keys sealed with the current pepper');
}
