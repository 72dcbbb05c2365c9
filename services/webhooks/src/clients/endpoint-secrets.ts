import { createSecretKey, type KeyObject } from 'node:crypto';
import type { SecretBox } from '@casewatch/platform';
import { headerContext, secretContext } from '../domain/seal-contexts.ts';
import type { WebhookRow } from '../store/webhooks.ts';

/** `key`: made once for each secret, because Node needs longer to make a key than to sign with it. */
export type Secret = { key: KeyObject; endsAt: Date | null };

const secretPrefix = 'whsec_';

/** Standard Webhooks, Signature scheme: the key is what follows the prefix, in base64. */
function keyOf(secret: string): KeyObject {
  return createSecretKey(secret.slice(secretPrefix.length), 'base64');
}

export function openSecrets(box: SecretBox, { _id, secrets }: WebhookRow): Secret[] {
  return secrets.map(({ sealed, ends_at }) => {
    return { key: keyOf(box.open(sealed, secretContext(_id))), endsAt: ends_at };
  });
}

export function liveKeys(secrets: readonly Secret[], now: Date): KeyObject[] {
  return secrets.filter(({ endsAt }) => endsAt === null || endsAt > now).map(({ key }) => key);
}

export function ownHeaders(box: SecretBox, { _id, headers }: WebhookRow): Record<string, string> {
  return Object.fromEntries(
    headers.map(({ name, sealed }) => [name, box.open(sealed, headerContext(_id, name))]),
  );
}
