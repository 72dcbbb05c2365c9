import { html, type Markup } from '@casewatch/platform';

const list = [
  ['npm run admin -- explain case <id>', 'The history of a case through all services.'],
  ['npm run admin -- deadletters list', 'Events that a service could not handle; replay or discard them.'],
  ['npm run admin -- monitor status', 'Breaker, quota, held updates, and the last messages of USCIS.'],
  ['npm run admin -- monitor pause', 'Pause all checks.'],
  ['npm run admin -- monitor resume', 'Continue the checks.'],
  ['npm run admin -- monitor drop-held', 'Drop held changes; no one is notified.'],
  ['npm run admin -- notifier templates', 'WhatsApp templates, compared with the provider.'],
  ['npm run admin -- notifier replay --channel email --since <time>', 'Send failed notifications again.'],
  ['npm run admin -- republish <service> --since <time>', 'Publish events of an outbox again.'],
] as const;

/** Changes are made with commands: this page has no sign-in (ADR 0012). */
export function commands(): Markup {
  return html`<dl class="facts">${list.map(([command, text]) => html`<div><dt>${text}</dt><dd><code>${command}</code></dd></div>\n`)}</dl>`;
}
