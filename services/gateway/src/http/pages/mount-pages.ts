import { ApiError } from '@casewatch/platform';
import type { Express, Request, Response } from 'express';
import { type RequestTimeouts, withTimeouts } from '../../clients/with-timeouts.ts';
import { addressLimit } from '../../limits/address-limit.ts';
import { pageHeaders } from '../../pages/layout.ts';
import type { AnyPage, PageAnswer } from '../../pages/page.ts';
import { askWithinLimit, assertAllowed, setLimitHeaders } from '../authorise-request.ts';
import { answerCall } from './answer-call.ts';
import { assertSameOrigin } from './same-origin.ts';
import { NothingNew } from './second-look.ts';
import { sendFailure, sendView } from './send-page.ts';
import type { Visit } from './visit.ts';

/** A page can ask several services, one after the other, ms. */
const answerMs = 12_000;
/** The same for a page that takes a file of 5 MiB and passes it on, ms. */
const fileMs = 60_000;
const receiveMs = 30_000;

/** Serves the pages of one surface. */
export function mountPages<Session>(
  app: Express,
  { ctx, kind, pages }: Pick<Visit<Session>, 'ctx' | 'kind'> & { pages: readonly AnyPage<Session>[] },
): void {
  for (const page of pages) {
    const handler = async (req: Request, res: Response) => {
      res.locals.operation = `page ${page.path}`;
      res.set(pageHeaders);
      await withTimeouts(
        res,
        { answerMs: page.takesFile ? fileMs : answerMs, receiveMs },
        async (timeouts) => {
          await answerVisit({ ctx, kind, page, req, res, signal: timeouts.signal }, timeouts);
        },
      );
    };
    if (page.method === 'GET') app.get(page.path, handler);
    else app.post(page.path, handler);
  }
}

async function answerVisit<Session>(visit: Visit<Session>, timeouts: RequestTimeouts): Promise<void> {
  let session: Session | null = null;
  try {
    if (visit.page.method === 'POST') assertSameOrigin(visit.req, visit.ctx.config.PUBLIC_URL);
    session = await loadSession(visit);
    const answer = await answerCall(visit, session);
    timeouts.answering();
    send(visit, session, answer);
  } catch (error) {
    timeouts.answering();
    if (error instanceof NothingNew) visit.res.status(204).end();
    else sendFailure(visit, session, error);
  }
}

function send<Session>(visit: Visit<Session>, session: Session, answer: PageAnswer): void {
  const { kind, res } = visit;
  if ('file' in answer) {
    const { name, type, text } = answer.file;
    res.attachment(name).type(type).send(text);
  } else if ('to' in answer) res.redirect(303, answer.to);
  else {
    if (answer.endsSession) kind.forget(res);
    sendView(visit, session, answer);
  }
}

/** Without a valid session the address is counted; with a session its caller. */
async function loadSession<Session>({ ctx, kind, page, req, res }: Visit<Session>): Promise<Session> {
  const limit = addressLimit(ctx.limits, req.ip ?? 'unknown');
  const session = await askWithinLimit(limit, res, (beforeAsking) => kind.load(req, res, beforeAsking));
  const principal = kind.principalOf(session);
  res.locals.principal = principal;
  const verdict = await ctx.limits.take(...kind.limitOf(session));
  setLimitHeaders(res, verdict);
  assertAllowed(verdict);
  const refuse = (message: string) =>
    ctx.refusals.ofPage(
      page.path,
      { principal, address: req.ip ?? 'unknown' },
      new ApiError('insufficient_scope', { message }),
    );
  if (page.method === 'POST' && kind.isReadOnly(session)) throw refuse('This session is read-only.');
  if (principal.kind === 'partner' && page.scope !== null && !principal.scopes.includes(page.scope))
    throw refuse('This console session does not have access to this page.');
  return session;
}
