import type { Logger, SecretBox } from '@casewatch/platform';
import { headerContext, secretContext } from '../domain/seal-contexts.ts';
import type { WebhookRow, WebhookStore } from './webhooks.ts';

/** Encrypts all secrets with the current key, so that a former key can be removed (docs/adr/0013). */
export async function resealSecrets(webhooks: WebhookStore, box: SecretBox, log: Logger): Promise<void> {
  let count = 0;
  for (;;) {
    const row = await webhooks.findSealedOtherwise(box.currentPrefix);
    if (!row) break;
    // False after a parallel change: the next round reads the endpoint again.
    if (await webhooks.replaceSealed(row, resealed(row, box))) count += 1;
  }
  if (count > 0) log.info({ count }, 'webhook secrets encrypted with the current key');
}

function resealed({ _id, secrets, headers }: WebhookRow, box: SecretBox) {
  const reseal = (sealed: string, context: string) => box.seal(box.open(sealed, context), context);
  return {
    secrets: secrets.map(({ sealed, ends_at }) => ({ sealed: reseal(sealed, secretContext(_id)), ends_at })),
    headers: headers.map(({ name, sealed }) => ({ name, sealed: reseal(sealed, headerContext(_id, name)) })),
  };
}
