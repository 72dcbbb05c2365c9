import type { OpenApiDocument } from '@casewatch/contracts';
import { escapeHtml } from '@casewatch/platform';
import { operationsOf } from './document.ts';

/** Links to every operation by group, to the objects and to the error codes. */
export function tableOfContents(document: OpenApiDocument): string {
  const parts = document.tags.flatMap(({ name }) => {
    const items = operationsOf(document)
      .filter(({ operation }) => operation.tags.includes(name))
      .map(
        ({ operation: { operationId, summary } }) =>
          `<li><a href="#${operationId}">${escapeHtml(summary)}</a></li>`,
      );
    return items.length === 0 ? [] : [`<p>${escapeHtml(name)}</p>\n<ul>\n${items.join('\n')}\n</ul>`];
  });
  return `<nav class="toc" aria-label="Contents">
<details open>
<summary>Contents</summary>
${parts.join('\n')}
<p><a href="#objects">Objects</a></p>
<p><a href="#errors">Error codes</a></p>
</details>
</nav>`;
}
