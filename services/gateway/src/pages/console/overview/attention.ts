import type { Success } from '@casewatch/contracts';
import { html, type Markup } from '@casewatch/platform';
import { section } from '../../parts/page-head.ts';
import { pill } from '../../parts/pill.ts';
import { dateOf } from '../../parts/time.ts';
import type { ConsoleCall } from '../console-page.ts';
import { endpointPill } from '../webhooks/webhooks.ts';
import { type AttentionCases, caseItems, type Item } from './attention-cases.ts';

/** A key that ends within this time is shown, ms. */
const soonMs = 14 * 24 * 60 * 60 * 1000;
const shownUsers = 5;

type Subject = AttentionCases & {
  readonly suppressions: Success<'list_suppressions'>['suppressions'];
  readonly webhooks: Success<'list_webhooks'>['webhooks'];
  readonly keys: Success<'list_keys'>['keys'];
};

/** What a person of the partner can act on. */
export function attentionList(call: ConsoleCall, subject: Subject, urgentHref: string): Markup {
  const items = [
    ...endpointItems(call, subject),
    ...keyItems(call, subject),
    ...caseItems(subject, urgentHref),
    ...userItems(call, subject),
  ];
  const list =
    items.length > 0
      ? html`<ul class="list">${items.map(({ what, state }) => html`<li><span>${what}</span>${state}</li>\n`)}</ul>`
      : html`<p class="quiet">Nothing needs your attention.</p>`;
  return section('Needs attention', html`<div class="card">${list}</div>`);
}

function endpointItems({ times }: ConsoleCall, { webhooks }: Subject): Item[] {
  return webhooks
    .filter((endpoint) => endpoint.failing_since !== null || endpoint.disabled_at !== null)
    .map((endpoint) => ({
      what: html`<a href="/console/webhooks/${endpoint.id}">${endpoint.description || endpoint.url}</a> <span class="quiet">has failed since ${times.exact(endpoint.failing_since ?? endpoint.disabled_at)}</span>`,
      state: endpointPill(endpoint),
    }));
}

function keyItems({ times }: ConsoleCall, { keys }: Subject): Item[] {
  const now = times.now.getTime();
  return keys
    .filter(({ revoked_at, expires_at }) => {
      const end = expires_at === null ? null : dateOf(expires_at).getTime();
      return revoked_at === null && end !== null && end > now && end - now < soonMs;
    })
    .map((key) => ({
      what: html`<a href="/console/keys">API key ${key.name}</a> <span class="quiet">ends ${times.ago(key.expires_at)}</span>`,
      state: pill('warn', 'Ends soon'),
    }));
}

const problems = {
  hard_bounce: 'Not reachable',
  complaint: 'Reported as spam',
  opt_out: 'Opted out',
  unsubscribed: 'Unsubscribed',
} as const;

function userItems({ times }: ConsoleCall, { suppressions }: Subject): Item[] {
  const more = suppressions.length - shownUsers;
  const items = suppressions.slice(0, shownUsers).map(({ user, channel, reason, since }) => ({
    what: html`<a href="/console/users/${user.id}">${user.name}</a> <span class="quiet">gets no ${channel === 'email' ? 'e-mails' : 'WhatsApp messages'} since ${times.exact(since)}</span>`,
    state: pill('warn', problems[reason]),
  }));
  if (more <= 0) return items;
  return [
    ...items,
    {
      what: html`<span class="quiet">${more} more ${more === 1 ? 'user' : 'users'} without messages</span>`,
      state: html``,
    },
  ];
}
