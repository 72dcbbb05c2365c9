import { idText, type Success, scope } from '@casewatch/contracts';
import { html, type Markup } from '@casewatch/platform';
import { z } from 'zod';
import type { Refusal, View } from '../../page.ts';
import { checkboxes, field } from '../../parts/field.ts';
import { form } from '../../parts/form.ts';
import { optionalText, several } from '../../parts/form-values.ts';
import { facts, pageHead } from '../../parts/page-head.ts';
import { notice } from '../../parts/pill.ts';
import { secret } from '../../parts/secret.ts';
import { type ConsoleCall, consolePage } from '../console-page.ts';

const keyPath = z.object({ key_id: idText });
const hourSeconds = 3_600;
const keysBack = { href: '/console/keys', text: 'API keys' };

export const newKeyForm = consolePage({
  method: 'GET',
  path: '/console/keys/new',
  scope: 'keys',
  handle: async (call) => newKeyView(call, null),
});

export const createKey = consolePage({
  method: 'POST',
  path: '/console/keys/new',
  scope: 'keys',
  form: z.object({
    name: z.string(),
    scopes: several.pipe(z.array(scope).min(1, 'Choose at least one permission.')),
    allowed_ips: optionalText.transform((text) => text?.split(/[\s,]+/)),
    idempotency_key: optionalText,
  }),
  async handle({ ask, form: { idempotency_key, allowed_ips, ...rest } }) {
    const body = { ...rest, ...(allowed_ips && { allowed_ips }) };
    return keyView('Key created', (await ask('create_key', { body, idempotencyKey: idempotency_key })).key);
  },
  refused: async (call, refusal) => newKeyView(call, refusal),
});

export const rotateKey = consolePage({
  method: 'POST',
  path: '/console/keys/:key_id/rotate',
  scope: 'keys',
  params: keyPath,
  form: z.object({ overlap_hours: z.coerce.number().min(0).max(720), idempotency_key: optionalText }),
  async handle({ ask, params, form: { overlap_hours, idempotency_key } }) {
    const body = { overlap_seconds: Math.round(overlap_hours * hourSeconds) };
    return keyView(
      'Key rotated',
      (await ask('rotate_key', { params, body, idempotencyKey: idempotency_key })).key,
    );
  },
});

export const revokeKey = consolePage({
  method: 'POST',
  path: '/console/keys/:key_id/revoke',
  scope: 'keys',
  params: keyPath,
  async handle({ ask, params }) {
    await ask('revoke_key', { params });
    return { to: '/console/keys' };
  },
});

export function rotationFields(keyId: number): Markup {
  return html`<div class="field"><label for="overlap-${keyId}">Overlap, hours</label>
<input id="overlap-${keyId}" name="overlap_hours" type="number" min="0" max="720" value="24" required></div>`;
}

function newKeyView({ session }: ConsoleCall, refusal: Refusal | null): View {
  const { scopes } = session.principal;
  const content = html`${field({ name: 'name', label: 'Name', value: '', isRequired: true, refusal })}
${checkboxes({ name: 'scopes', label: 'Permissions', chosen: scopes, choices: scopes.map((value) => ({ value, text: value })), refusal })}
${field({ name: 'allowed_ips', label: 'Allowed networks', hint: 'Addresses or ranges such as 192.0.2.0/24, separated by commas. Empty: the same as this console’s key.', refusal })}`;
  const main = html`${pageHead({ title: 'Create a key', back: keysBack })}
${form({ action: '/console/keys/new', content, button: 'Create key', refusal, isOnce: true })}`;
  return { title: 'Create a key', main };
}

/** The only page that shows the secret. */
function keyView(title: string, key: Success<'create_key'>['key']): View {
  const shown =
    key.api_secret === null
      ? html`<span class="quiet">Shown once, when the key was created</span>`
      : secret(key.api_secret);
  const main = html`${pageHead({ title, back: keysBack })}
${notice('warn', 'Copy the secret now. It is not shown again.')}
<div class="card">${facts([
    ['Name', key.name],
    ['X-API-KEY', secret(key.api_key)],
    ['X-API-SECRET', shown],
  ])}</div>`;
  return { title, main };
}
