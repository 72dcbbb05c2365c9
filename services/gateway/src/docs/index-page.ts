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
<p>Casewatch watches United States immigration (USCIS) cases by receipt number and tells people when the status changes: by e-mail, by WhatsApp, and partners' systems by signed webhooks.</p>
<p>This is the address of its HTTP interface. There is nothing to sign in to here.</p>
<ul>
<li><a href="/docs">Reference</a>: every operation, its fields, its answers and its errors.</li>
<li><a href="/openapi.json">OpenAPI 3.1 document</a>, also <a href="/openapi.yaml">as YAML</a>: for client generators and test tools.</li>
</ul>
<h2>A first request</h2>
${codeBlock(first, 'A first request with curl')}
<p class="soft">It is not USCIS, nor any other part of the government. What it says of a case is what the government's own interface said when it was last asked.</p>`;
  return layout({
    title: info.title,
    description: 'Watches USCIS cases and tells people when the status changes.',
    main,
  });
}
