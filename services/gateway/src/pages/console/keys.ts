import { idText, type Success, scope } from '@casewatch/contracts';
import { html, type Markup } from '@casewatch/platform';
import { z } from 'zod';
import type { View } from '../page.ts';
import { facts, notice, pageHead, pill, secret, section } from '../parts/blocks.ts';
import { checkboxes, choicesOf, disclosure, field, form, optionalText, several } from '../parts/form.ts';
import { emptyState, table } from '../parts/table.ts';
import { dateOf } from '../parts/time.ts';
import { type ConsoleCall, consoleForm, consolePage, overlapField, overlapForm } from './console-page.ts';

const keyPath = z.object({ key_id: idText });
const keysBack = { href: '/console/keys', text: 'API keys' };
const unusedMs = 30 * 24 * 60 * 60 * 1000;
/** Longest overlap of two keys, hours. */
const maxOverlapHours = 720;

type Key = Success<'list_keys'>['keys'][number];

const keyList = consolePage({
  method: 'GET',
  path: '/console/keys',
  scope: 'keys',
  async handle(call) {
    const { keys } = await call.ask('list_keys', { query: { limit: '100' } });
    const now = call.times.now.getTime();
    const live = keys.filter((key) => isLive(key, now));
    const ended = keys.filter((key) => !isLive(key, now));
    const add = html`<a class="button primary" href="/console/keys/new">Create a key</a>`;
    const main = html`${pageHead({ title: 'API keys', sub: 'At most two keys can be active: one in use, and one to change to.', aside: add })}
${table({
  caption: 'Active keys',
  head: ['Key', 'State', 'Permissions', 'Last used', 'Change'],
  rows: live.map((key) => keyRow(call, key)),
  empty: emptyState({ title: 'No active key', text: 'Create a key to use the API.' }),
})}
${ended.length > 0 && html`<section class="section"><details class="more"><summary>${ended.length} keys that have ended</summary>${table({ caption: 'Ended keys', head: ['Key', 'Ended', 'Last used'], rows: ended.map((key) => endedRow(call, key)) })}</details></section>`}`;
    return { title: 'API keys', main };
  },
});

const newKey = consoleForm({
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
    const { key } = await ask('create_key', { body, idempotencyKey: idempotency_key });
    return keyView('Key created', key);
  },
  async view({ session }, refusal) {
    const { scopes } = session.principal;
    const content = html`${field({ name: 'name', label: 'Name', isRequired: true, refusal })}
${checkboxes({ name: 'scopes', label: 'Permissions', chosen: scopes, choices: choicesOf(scopes), refusal })}
${field({ name: 'allowed_ips', label: 'Allowed networks', hint: 'Addresses or ranges such as 192.0.2.0/24, separated by commas. Empty: the same as this console’s key.', refusal })}`;
    const main = html`${pageHead({ title: 'Create a key', back: keysBack })}
${form({ action: '/console/keys/new', content, button: 'Create key', refusal, isOnce: true })}`;
    return { title: 'Create a key', main };
  },
});

const rotateKey = consolePage({
  method: 'POST',
  path: '/console/keys/:key_id/rotate',
  scope: 'keys',
  params: keyPath,
  form: overlapForm(maxOverlapHours),
  async handle({ ask, params, form }) {
    const { key } = await ask('rotate_key', { params, ...form });
    return keyView('Key rotated', key);
  },
});

const revokeKey = consolePage({
  method: 'POST',
  path: '/console/keys/:key_id/revoke',
  scope: 'keys',
  params: keyPath,
  async handle({ ask, params }) {
    await ask('revoke_key', { params });
    return { to: '/console/keys' };
  },
});

export const keyPages = [keyList, ...newKey, rotateKey, revokeKey];

function isLive({ revoked_at, expires_at }: Key, now: number): boolean {
  return revoked_at === null && (expires_at === null || dateOf(expires_at).getTime() > now);
}

function keyName(key: Key): Markup {
  return html`${key.name}<span class="under mono">${key.api_key.slice(0, 14)}…</span>`;
}

function keyRow(call: ConsoleCall, key: Key) {
  const { times, session } = call;
  const isOwn = session.principal.key_id === String(key.id);
  return [
    html`${keyName(key)}${isOwn && html`<span class="under">This console uses this key and ends with it.</span>`}`,
    stateOf(call, key),
    html`<span class="small quiet">${key.scopes.join(', ')}${key.allowed_ips.length > 0 && html`<br>from ${key.allowed_ips.join(', ')}`}</span>`,
    times.ago(key.last_used_at),
    html`<div class="stack">${rotation(key)}${revocation(key)}</div>`,
  ];
}

function stateOf({ times }: ConsoleCall, key: Key): Markup {
  if (key.expires_at !== null)
    return html`${pill('warn', 'Ends')} <span class="under">${times.ago(key.expires_at)}</span>`;
  const since = dateOf(key.last_used_at ?? key.created_at).getTime();
  if (times.now.getTime() - since > unusedMs) return pill('warn', 'Unused for 30 days');
  return pill('good', 'Active');
}

function rotation(key: Key): Markup {
  return disclosure({
    summary: 'Rotate…',
    text: 'A new key replaces this key. Both keys work until the overlap ends.',
    action: `/console/keys/${key.id}/rotate`,
    content: overlapField(`overlap-${key.id}`, maxOverlapHours),
    button: 'Rotate key',
    isOnce: true,
  });
}

function revocation(key: Key): Markup {
  return disclosure({
    summary: 'Revoke…',
    summaryTone: 'bad',
    text: 'The key stops working everywhere within 2 seconds.',
    action: `/console/keys/${key.id}/revoke`,
    button: 'Revoke key',
    tone: 'danger',
  });
}

function endedRow({ times }: ConsoleCall, key: Key) {
  return [keyName(key), times.ago(key.revoked_at ?? key.expires_at), times.ago(key.last_used_at)];
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
  ])}</div>
${section(
  'Next',
  html`<p>Give the pair to your system and make a call with it: <a href="/docs">the documentation</a> begins with the first call.</p>
<p class="actions"><a class="button" href="/console/keys">All keys</a></p>`,
)}`;
  return { title, main };
}
