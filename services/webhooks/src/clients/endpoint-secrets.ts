import type { SecretBox } from '@casewatch/platform';
import { headerContext, secretContext } from '../domain/seal-contexts.ts';
import type { WebhookRow } from '../store/webhooks.ts';

export type Secret = { text: string; endsAt: Date | null };

export function openSecrets(box: SecretBox, { _id, secrets }: WebhookRow): Secret[] {
  return secrets.map(({ sealed, ends_at }) => {
    return { text: box.open(sealed, secretContext(_id)), endsAt: ends_at };
  });
}

export function liveSecrets(secrets: readonly Secret[], now: Date): string[] {
  return secrets.filter(({ endsAt }) => endsAt === null || endsAt > now).map(({ text }) => text);
}

export function ownHeaders(box: SecretBox, { _id, headers }: WebhookRow): Record<string, string> {
  return Object.fromEntries(
    headers.map(({ name, sealed }) => [name, box.open(sealed, headerContext(_id, name))]),
  );
}
