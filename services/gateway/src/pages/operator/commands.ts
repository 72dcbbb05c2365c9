import { html, type Markup } from '@casewatch/platform';

const list = [
  ['npm run admin -- deadletters list', 'Events that a service could not handle; replay and discard them.'],
  ['npm run admin -- monitor status', 'The breaker, held updates and the last sentence of USCIS.'],
  ['npm run admin -- notifier templates', 'WhatsApp templates, compared with the provider.'],
] as const;

/** Actions stay in the command line: this page has no sign-in. */
export function commands(): Markup {
  return html`<dl class="facts">${list.map(([command, text]) => html`<div><dt>${text}</dt><dd><code>${command}</code></dd></div>\n`)}</dl>`;
}
