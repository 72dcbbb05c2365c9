import { textFaultTexts } from '@casewatch/contracts';
import { ApiError, toApiError } from '@casewatch/platform';
import type { Request } from 'express';
import type { PageAnswer, PageCall, Posted } from '../../pages/page.ts';
import { createTimes } from '../../pages/parts/time.ts';
import { askServices } from './ask-service.ts';
import { cookieOf } from './cookies.ts';
import { readFormOf, readUploadOf } from './read-form.ts';
import { refusalOf, refusalOfForm } from './refusal.ts';
import { createLook, type Look, lookHeader } from './second-look.ts';
import type { Visit } from './visit.ts';

/** Runs the handler of a page. A refused form, or list with filters, is shown again with its values and the reasons. */
export async function answerCall<Session>(visit: Visit<Session>, session: Session): Promise<PageAnswer> {
  const { page, req } = visit;
  const look = createLook(page.method === 'GET' ? req.get(lookHeader) : undefined);
  const call = callOf(visit, session, look);
  const [policy, id] = visit.kind.limitOf(session);
  const caller = { caller: `${policy} ${id}`, isAnonymous: false };
  const readForm = page.takesFile ? readUploadOf : readFormOf;
  const posted = page.method === 'POST' ? await readForm(visit, caller) : textsOf(req.query);
  const query = page.query?.safeParse(req.query, { error: textFaultTexts });
  const form = page.form?.safeParse(posted, { error: textFaultTexts });
  const refuse = async (refusal: Parameters<NonNullable<typeof page.refused>>[1]) => {
    const view = await page.refused?.({ ...call, form: null }, refusal);
    return view && { status: refusal.status, ...view };
  };
  const fault = query?.error ?? form?.error;
  if (fault) {
    const refusal = refusalOfForm(fault, posted);
    const view = await refuse(refusal);
    if (view) return view;
    if (query?.error) throw new ApiError('invalid_parameter');
    throw new ApiError('validation_failed', { message: Object.values(refusal.fields).join(' ') });
  }
  try {
    const answer = await page.handle({ ...call, query: query?.data ?? {}, form: form?.data ?? {} });
    return 'main' in answer && answer.isLive ? { ...answer, seen: look.digests() } : answer;
  } catch (error) {
    const refusal = refusalOfCaller(error, posted);
    const view = refusal && (page.method === 'POST' || refusal.status === 400) && (await refuse(refusal));
    if (view) return view;
    throw error;
  }
}

/** Faults of the caller but a missing session, which ends the page. */
function refusalOfCaller(error: unknown, posted: Posted) {
  if (!(error instanceof ApiError) || error.status === 401) return undefined;
  return error.status < 500 || error.code === 'uscis_unavailable' ? refusalOf(error, posted) : undefined;
}

function callOf<Session>({ ctx, kind, page, req, signal }: Visit<Session>, session: Session, look: Look) {
  const principal = kind.principalOf(session);
  const [policy, id] = kind.limitOf(session);
  const language = kind.languageOf(req, session);
  const params = page.params?.safeParse(req.params);
  // There is no such page: the path has an invalid number.
  if (params?.error) throw new ApiError('route_not_found', { message: 'There is no such page.' });
  return {
    session,
    params: params?.data ?? {},
    query: {},
    form: {},
    ask: askServices(
      ctx,
      { principal, address: req.ip ?? 'unknown', caller: `${policy} ${id}`, signal },
      look,
    ),
    request: (name, data) => ctx.bus.request(name, data),
    times: createTimes({ now: ctx.clock.now(), zone: zoneOf(req, kind.zoneOf(session)), language }),
    url: req.originalUrl,
  } satisfies PageCall<Session>;
}

/** A filter that was sent several times is no text. */
function textsOf(query: Request['query']): Posted {
  return Object.fromEntries(
    Object.entries(query).filter((field): field is [string, string] => typeof field[1] === 'string'),
  );
}

/** The script of the page notes the zone of the browser in a cookie. */
function zoneOf(req: Request, ordinary: string): string {
  const zone = cookieOf(req, 'zone') ?? ordinary;
  try {
    return new Intl.DateTimeFormat('en', { timeZone: zone }).resolvedOptions().timeZone;
  } catch (error) {
    if (error instanceof RangeError) return ordinary;
    throw toApiError(error);
  }
}
