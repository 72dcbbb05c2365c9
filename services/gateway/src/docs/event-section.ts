import type { OpenApiDocument } from '@casewatch/contracts';
import { escapeHtml } from '@casewatch/platform';
import { resolved } from './document.ts';
import { schemaFields } from './field-list.ts';
import { codeBlock, inline } from './html.ts';

export type WebhookEntry = { readonly id: string; readonly text: string };

/** The events that endpoints receive, as entries of the contents. */
export function eventEntries({ webhooks }: OpenApiDocument): WebhookEntry[] {
  return Object.entries(webhooks).map(([type, { post }]) => ({ id: post.operationId, text: type }));
}

/** All events: the fields of each body on the left, and an example on the right. */
export function eventSections(document: OpenApiDocument): string {
  return Object.values(document.webhooks)
    .map(({ post: { operationId, summary, description, requestBody } }) => {
      const { schema = {}, example } = requestBody.content['application/json'] ?? {};
      const data = resolved(document, schema).properties?.data;
      const fields = typeof data === 'object' ? schemaFields(data, false) : '';
      return `<article id="${operationId}">
<div class="text">
<h3><a href="#${operationId}">${escapeHtml(summary)}</a></h3>
<p>${inline(description)}</p>
<h4>Fields of <code>data</code></h4>
${fields}
</div>
<div class="code">
<figure><figcaption>Body</figcaption>
${codeBlock(JSON.stringify(example, null, 2), `Body of ${summary}`)}</figure>
</div>
</article>`;
    })
    .join('\n');
}
