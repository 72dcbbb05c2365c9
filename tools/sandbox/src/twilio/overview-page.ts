import type { Response } from 'express';
import { html, type Markup } from '../http/html.ts';
import { sendPage } from '../http/page.ts';
import type { Exchange } from './create-route.ts';
import type { Message } from './message.ts';

const SHOWN = 100;

export function sendOverview(res: Response, { messages, fault }: Exchange): void {
  const latest = messages.slice(-SHOWN).reverse();
  sendPage(res, {
    title: 'WhatsApp and SMS',
    intro: 'Messages that Twilio would have sent.',
    live: true,
    main: html`${fault.mode === 'none' ? null : html`<div class="card">Fault: <strong>${fault.mode}</strong></div>`}
${latest.length === 0 ? html`<p class="soft">No message yet.</p>` : latest.map(bubble)}`,
  });
}

function bubble(message: Message): Markup {
  const callbacks = message.callbacks.map(
    ({ status, response_status }) => `${status} → ${response_status ?? 'no answer'}`,
  );
  const failed = message.error_code !== null;
  return html`<div class="card bubble"><p class="soft">To <strong>${message.to}</strong> · ${message.created_at}</p>
${message.body === '' ? null : html`<p>${message.body}</p>`}
${message.content_sid === null ? null : html`<p>Template <code>${message.content_sid}</code></p>`}
${message.content_variables === null ? null : html`<pre>${JSON.stringify(message.content_variables, null, 2)}</pre>`}
<p class="${failed ? 'bad' : 'good'}">${message.status}${failed ? ` (${message.error_code})` : ''}</p>
${callbacks.length === 0 ? null : html`<p class="soft">Callbacks: ${callbacks.join(', ')}</p>`}</div>`;
}
