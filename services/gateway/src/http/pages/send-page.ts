import { logFailure, retryAfterHeader } from '@casewatch/platform';
import type { View } from '../../pages/page.ts';
import type { Visit } from './visit.ts';

export function sendView<Session>(
  { kind, req, res }: Pick<Visit<Session>, 'kind' | 'req' | 'res'>,
  session: Session | null,
  view: View,
): void {
  res.status(view.status ?? 200).type('html');
  const language = kind.languageOf(req, session);
  res.send(kind.frame({ session, view, url: req.originalUrl, language }));
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
  if (error.retryAfterS !== undefined) res.set('retry-after', retryAfterHeader(error.retryAfterS));
  const isLockedOut = session === null && kind.isLockedOut(error);
  const hasEnded = isLockedOut || (error.status === 401 && error.code !== 'reauthentication_required');
  if (hasEnded) kind.forget(res, error);
  const language = kind.languageOf(req, session);
  const requestId = String(res.get('x-request-id'));
  const view = hasEnded
    ? kind.signedOut(error, { language, url: req.originalUrl })
    : kind.failed(error, { session, url: req.originalUrl, language, requestId });
  sendView({ kind, req, res }, hasEnded ? null : session, { ...view, status: error.status });
}
