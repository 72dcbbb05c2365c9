import type { Success } from '@casewatch/contracts';
import { html, type Markup } from '@casewatch/platform';
import type { Refusal } from '../../page.ts';
import { select } from '../../parts/field.ts';
import { buttonForm, disclosure } from '../../parts/form.ts';

type Endpoint = Success<'get_webhook'>['webhook'];

/** Rarely used and with consequences: each opens below its button. */
export function endpointControls(webhook: Endpoint): Markup {
  const path = `/console/webhooks/${webhook.id}`;
  return html`<section class="section"><h2 class="hidden">Actions</h2><div class="aside">
${buttonForm(`${path}/${webhook.active ? 'deactivate' : 'activate'}`, webhook.active ? 'Deactivate' : 'Activate')}
${replayForm(path, null)}
${rotation(path)}
${deletion(path)}
</div></section>`;
}

export function replayForm(path: string, refusal: Refusal | null): Markup {
  const choices = [
    { value: 'failed', text: 'Failed deliveries' },
    { value: 'missing', text: 'Events without a delivery' },
    { value: 'all', text: 'All events' },
  ];
  const hours = [
    { value: '1', text: 'Last hour' },
    { value: '24', text: 'Last 24 hours' },
    { value: '168', text: 'Last 7 days' },
    { value: '720', text: 'Last 30 days' },
  ];
  return disclosure({
    summary: 'Replay…',
    text: 'Sends past events again, in the background, with the same ids.',
    action: `${path}/replay`,
    content: html`${select({ name: 'status', id: 'replay-status', label: 'Which events', value: 'failed', choices, refusal })}
${select({ name: 'hours', label: 'From when', value: '24', choices: hours, refusal })}`,
    button: 'Start replay',
    isOnce: true,
    refusal,
  });
}

function rotation(path: string): Markup {
  return disclosure({
    summary: 'Rotate secret…',
    text: 'Creates a new signing secret and shows it once. The old secret also signs until the overlap ends.',
    action: `${path}/rotate-secret`,
    content: html`<div class="field"><label for="f-overlap">Overlap, hours</label>
<input id="f-overlap" name="overlap_hours" type="number" min="0" max="168" value="24" required></div>`,
    button: 'Rotate secret',
    isOnce: true,
  });
}

function deletion(path: string): Markup {
  return disclosure({
    summary: 'Delete…',
    summaryTone: 'bad',
    text: 'The endpoint receives no more events. This cannot be undone.',
    action: `${path}/delete`,
    button: 'Delete endpoint',
    tone: 'danger',
  });
}
