import { email as emailSchema } from '@casewatch/contracts';
import { ApiError } from '@casewatch/platform';
import { ownPage } from '../../../pages/people/own-page.ts';
import { inWordsOf } from '../../../pages/people/person-page.ts';
import { type Account, chooseView, codeView, signInView } from '../../../pages/people/sign-in.ts';
import { askAnonymously } from '../ask-service.ts';
import { readForm } from '../read-form.ts';
import { refusalOf } from '../refusal.ts';
import { sendView } from '../send-page.ts';
import { typedCode } from '../typed-code.ts';
import type { EntryVisit } from './entry-visit.ts';
import { clearState, readState, type SignInState, writeState } from './sign-in-state.ts';
import { endFormerSession } from './sign-out.ts';

/** Longest time for identity to answer, ms. */
const askMs = 5_000;

export async function requestCode(visit: EntryVisit): Promise<void> {
  const { ctx, cookies, req, res, language } = visit;
  const form = await readForm(visit);
  const email = String(form.email ?? '').trim();
  try {
    const answer = await ctx.bus.request('identity.request_entry', {
      email: readEmail(email),
      language,
      address: req.ip ?? 'unknown',
    });
    const state = { email, request_id: answer.request_id, next: ownPage.parse(form.next) };
    writeState(cookies, res, state);
    res.redirect(303, '/sign-in/code');
  } catch (error) {
    const refusal = refusedForm(error, form);
    const view = signInView(language, {
      operator: ctx.config.OPERATOR_NAME,
      refusal: inWordsOf(refusal, language),
      next: ownPage.parse(form.next),
    });
    sendView(visit, null, { ...view, status: refusal.status });
  }
}

/** As the operations of the API read it. @throws ApiError validation_failed */
function readEmail(text: string): string {
  const { data } = emailSchema.safeParse(text);
  if (data !== undefined) return data;
  const fault = { in: 'body', pointer: '#/email', code: 'invalid_format', message: 'is invalid' } as const;
  throw new ApiError('validation_failed', { faults: [fault] });
}

export async function showCode(visit: EntryVisit): Promise<void> {
  const state = readState(visit.cookies, visit.req);
  if (state === null) visit.res.redirect(303, '/');
  else sendView(visit, null, codeView(visit.language, state, null));
}

export async function takeCode(visit: EntryVisit): Promise<void> {
  const { cookies, req, res, language } = visit;
  const state = readState(cookies, req);
  if (state === null) {
    res.redirect(303, '/');
    return;
  }
  const form = await readForm(visit);
  const code = typedCode(form.code);
  try {
    const userId = form.user_id === undefined ? undefined : Number(form.user_id);
    await signIn(visit, state, { code, userId });
  } catch (error) {
    const accounts = accountsOf(error);
    if (accounts) {
      sendView(visit, null, chooseView(language, code, accounts));
      return;
    }
    const refusal = refusedForm(error, form);
    const view = codeView(language, state, inWordsOf(refusal, language));
    sendView(visit, null, { ...view, status: refusal.status });
  }
}

type Entered = { readonly code: string; readonly userId: number | undefined };

/** The cookies of a new session replace those of the former one, which ends: no one can prepare a session for a person. */
async function signIn(visit: EntryVisit, state: SignInState, { code, userId }: Entered): Promise<void> {
  const { ctx, kind, cookies, req, res } = visit;
  const { email, request_id, next } = state;
  const ask = askAnonymously(ctx, req, AbortSignal.timeout(askMs));
  const tokens = await ask('issue_token', {
    body: { email, code, request_id, ...(userId !== undefined && { user_id: userId }) },
  });
  await endFormerSession(visit);
  kind.set(res, tokens);
  clearState(cookies, res);
  res.redirect(303, next);
}

/** A correct code of an address with several accounts. */
function accountsOf(error: unknown): readonly Account[] | null {
  if (!(error instanceof ApiError) || error.code !== 'user_selection_required') return null;
  return (error.options.extra?.users ?? []) as readonly Account[];
}

/** @throws the error, unless it is a refusal of what was typed */
function refusedForm(error: unknown, form: Awaited<ReturnType<typeof readForm>>) {
  if (!(error instanceof ApiError) || error.status >= 500) throw error;
  return refusalOf(error, form);
}
