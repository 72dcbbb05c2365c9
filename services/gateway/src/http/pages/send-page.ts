import { type ApiError, html, logFailure } from '@casewatch/platform';
import type { View } from '../../pages/page.ts';
import type { Visit } from './visit.ts';

export function sendView<Session>(
  { kind, req, res }: Pick<Visit<Session>, 'kind' | 'req' | 'res'>,
  session: Session | null,
  view: View,
): void {
  res.status(view.status ?? 200).type('html');
  res.send(kind.frame({ session, view, url: req.originalUrl }));
}

/** An error is a page with a sentence; a session that has ended is forgotten. */
export function sendFailure<Session>(
  { ctx, kind, req, res }: Pick<Visit<Session>, 'ctx' | 'kind' | 'req' | 'res'>,
  session: Session | null,
  thrown: unknown,
): void {
  const error = logFailure(ctx.log, thrown, res);
  if (res.headersSent) {
    res.destroy();
    return;
  }
  if (error.retryAfterS !== undefined)
    res.set('retry-after', String(Math.max(1, Math.ceil(error.retryAfterS))));
  const hasEnded = error.status === 401;
  if (hasEnded) kind.forget(res, error);
  const view = hasEnded ? kind.signedOut(error) : errorView(error, String(res.get('x-request-id')));
  sendView({ kind, req, res }, hasEnded ? null : session, { ...view, status: error.status });
}

function errorView(error: ApiError, requestId: string): View {
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
