import type { OpenApiDocument } from '@casewatch/contracts';
import { escapeHtml } from '@casewatch/platform';
import { codeBlock } from './html.ts';
import { layout } from './layout.ts';

export function indexPage({ info, servers }: OpenApiDocument): string {
  const origin = servers[0]?.url ?? '';
  const first = `curl ${origin}/v1/client/cases \\
  -H "X-API-KEY: $CASEWATCH_KEY" \\
  -H "X-API-SECRET: $CASEWATCH_SECRET"`;
  const main = `<h1>${escapeHtml(info.title)}</h1>
<p>Casewatch monitors United States immigration (USCIS) cases by receipt number. When a status changes, it notifies people by e-mail and WhatsApp, and partners' systems by signed webhooks.</p>
<p>This is the address of its HTTP API. A browser gets the pages for people here.</p>
<ul>
<li><a href="/docs/guide">Guide</a>: from the first call to verified webhooks, step by step.</li>
<li><a href="/docs">Reference</a>: every operation with its fields, responses and errors.</li>
<li><a href="/openapi.json">OpenAPI 3.1 document</a>, also <a href="/openapi.yaml">as YAML</a>: for client generators and test tools.</li>
</ul>
<h2>A first request</h2>
${codeBlock(first, 'A first request with curl')}
<p class="soft">Casewatch is not affiliated with USCIS or any other part of the government. It shows the status that USCIS returned at the last check.</p>`;
  return layout({
    title: info.title,
    description: 'Monitors USCIS cases and notifies people when the status changes.',
    main,
  });
}
