import type { SecretBox } from '@casewatch/platform';
import { headerContext, secretContext } from '../domain/seal-contexts.ts';
import type { WebhookRow } from '../store/webhooks.ts';

/** The secrets that sign at this time, newest first. */
export function liveSecrets(box: SecretBox, { _id, secrets }: WebhookRow, now: Date): string[] {
  return secrets
    .filter(({ ends_at }) => ends_at === null || ends_at > now)
    .map(({ sealed }) => box.open(sealed, secretContext(_id)));
}

export function ownHeaders(box: SecretBox, { _id, headers }: WebhookRow): Record<string, string> {
  return Object.fromEntries(
    headers.map(({ name, sealed }) => [name, box.open(sealed, headerContext(_id, name))]),
  );
}
