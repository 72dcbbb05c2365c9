import type { Success } from '@casewatch/contracts';
import { html, type Markup } from '@casewatch/platform';
import { disclosure } from '../../parts/form.ts';
import { pageHead } from '../../parts/page-head.ts';
import { pill } from '../../parts/pill.ts';
import { emptyState, table } from '../../parts/table.ts';
import { dateOf } from '../../parts/time.ts';
import { type ConsoleCall, consolePage } from '../console-page.ts';
import { rotationFields } from './key-actions.ts';

const unusedMs = 30 * 24 * 60 * 60 * 1000;

type Key = Success<'list_keys'>['keys'][number];

export const keyList = consolePage({
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
${ended.length > 0 && html`<section class="section"><details class="more"><summary>${ended.length} keys that have ended</summary>${table({ caption: 'Ended keys', head: ['Key', 'Ended', 'Last used'], rows: ended.map((key) => endedRow(call, key)), empty: html`` })}</details></section>`}`;
    return { title: 'API keys', main };
  },
});

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
    content: rotationFields(key.id),
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
