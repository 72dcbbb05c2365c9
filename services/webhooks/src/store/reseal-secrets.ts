import type { Logger, SecretBox } from '@casewatch/platform';
import { headerContext, secretContext } from '../domain/seal-contexts.ts';
import type { WebhookRow, WebhookStore } from './webhooks.ts';

/**
 * Seals every endpoint's secrets with the ring's current key, so that a former one can be dropped (docs/adr/0013). Run
 * at each start; safe in many replicas at once, and costs one query where nothing is to be done.
 * @throws Error where a secret was sealed with a key that is not in the ring: then the service must not run
 */
export async function resealSecrets(webhooks: WebhookStore, box: SecretBox, log: Logger): Promise<void> {
  let count = 0;
  for (;;) {
    const row = await webhooks.findSealedOtherwise(box.currentPrefix);
    if (!row) break;
    // Lost to a change of a caller's or to another replica: what is there now is looked at in the next round.
    if (await webhooks.replaceSealed(row, resealed(row, box))) count += 1;
  }
  if (count > 0) log.info({ count }, 'webhook secrets encrypted with the current key');
}

function resealed({ _id, secrets, headers }: WebhookRow, box: SecretBox) {
  const again = (sealed: string, about: string) => box.seal(box.open(sealed, about), about);
  return {
    secrets: secrets.map(({ sealed, ends_at }) => ({ sealed: again(sealed, secretContext(_id)), ends_at })),
    headers: headers.map(({ name, sealed }) => ({ name, sealed: again(sealed, headerContext(_id, name)) })),
  };
}
