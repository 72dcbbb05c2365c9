import { type ApiError, html } from '@casewatch/platform';
import type { View } from '../page.ts';

export function consoleErrorView(error: ApiError, { requestId }: { readonly requestId: string }): View {
  const title =
    error.status === 404 ? 'Not found' : error.status >= 500 ? 'This did not work' : 'Not possible';
  return {
    title,
    main: html`<section class="card narrow">
<h1>${title}</h1>
<p>${error.message}</p>
<p class="quiet small">Request <code>${requestId}</code></p>
</section>`,
  };
}
