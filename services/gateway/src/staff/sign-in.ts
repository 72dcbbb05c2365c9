import { email as emailSchema } from '@casewatch/contracts';
import { ApiError, html } from '@casewatch/platform';
import type { Express, Request, Response } from 'express';
import { z } from 'zod';
import type { Context } from '../context.ts';
import { guardOf } from '../http/pages/console-entry.ts';
import type { ConsoleKind } from '../http/pages/console-kind.ts';
import { createCookies } from '../http/pages/cookies.ts';
import { readForm } from '../http/pages/read-form.ts';
import { refusalOf } from '../http/pages/refusal.ts';
import { sendView } from '../http/pages/send-page.ts';
import { typedCode } from '../http/pages/typed-code.ts';
import type { Posted, Refusal, View } from '../pages/page.ts';
import { field, form, hidden } from '../pages/parts/form.ts';
import { browserName } from './browser-name.ts';
import { goToStep } from './second-factor-step.ts';
import { withoutTyped } from './second-factor-views.ts';
import { keepReturn, takeReturn } from './sign-in-return.ts';

type Visit = {
  readonly ctx: Context;
  readonly kind: ConsoleKind;
  readonly req: Request;
  readonly res: Response;
};

/** How members of staff sign in to the console, with a code that is sent to them (firm.md §1). */
export function mountStaffSignIn(app: Express, ctx: Context, kind: ConsoleKind): void {
  const guarded = guardOf(ctx, kind);
  const page = (work: (visit: Visit) => Promise<void>) =>
    guarded(async (req, res) => await work({ ctx, kind, req, res }));
  app.get(
    '/console/sign-in',
    page(async (visit) => {
      keepReturn(ctx, visit.req, visit.res);
      sendView(visit, null, signInView(null));
    }),
  );
  app.post('/console/sign-in', page(requestCode));
  // A browser that shows what a form answered asks for it when the page is loaded again.
  app.get(
    '/console/sign-in/code',
    page(async ({ res }) => res.redirect(303, '/console/sign-in')),
  );
  app.post('/console/sign-in/code', page(takeCode));
}

/** The page is the same for an address that nobody has. */
async function requestCode(visit: Visit): Promise<void> {
  const { ctx, req, res } = visit;
  const posted = await readForm(visit);
  try {
    const email = readEmail(posted);
    const address = req.ip ?? 'unknown';
    const { request_id, expires_in } = await ctx.bus.request('identity.request_staff_code', {
      email,
      address,
    });
    keepRequest(ctx, res, { email, request_id }, expires_in);
    sendView(visit, null, codeView(email, null));
  } catch (error) {
    const refusal = refusedForm(error, posted);
    sendView(visit, null, { ...signInView(refusal), status: refusal.status });
  }
}

async function takeCode(visit: Visit): Promise<void> {
  const { ctx, kind, req, res } = visit;
  const posted = await readForm(visit);
  const code = typedCode(posted.code);
  let email = '';
  try {
    email = readEmail(posted);
    const { session, step, choices } = await ctx.bus.request('identity.staff_sign_in', {
      email,
      code: code.slice(0, 64),
      request_id: requestIdOf(ctx, req, email),
      partner_id: readPartner(posted.partner_id),
      address: req.ip ?? 'unknown',
      browser: browserName(req.get('user-agent')),
    });
    if (step !== null) {
      forgetRequest(ctx, res);
      goToStep(ctx, res, step);
      return;
    }
    if (session === null) {
      sendView(visit, null, chooseView(email, code, choices));
      return;
    }
    forgetRequest(ctx, res);
    await kind.enter(req, res, session);
    res.redirect(303, takeReturn(ctx, req, res));
  } catch (error) {
    const refusal = refusedForm(error, posted);
    const view = email === '' ? signInView(refusal) : codeView(email, refusal);
    sendView(visit, null, { ...view, status: refusal.status });
  }
}

/** @throws ApiError validation_failed */
function readEmail({ email }: Posted): string {
  const { data } = emailSchema.safeParse(email);
  if (data === undefined)
    throw new ApiError('validation_failed', {
      faults: [
        { in: 'body', pointer: '#/email', code: 'invalid_format', message: 'must be an e-mail address' },
      ],
    });
  return data;
}

/** @throws ApiError validation_failed */
function readPartner(text: Posted[string] | undefined): number | null {
  if (text === undefined || text === '') return null;
  const id = Number(text);
  if (Number.isSafeInteger(id) && id > 0) return id;
  throw new ApiError('validation_failed', { message: 'There is no such organization.' });
}

/** @throws the error, unless it is a refusal of what was typed */
function refusedForm(error: unknown, posted: Posted): Refusal {
  if (!(error instanceof ApiError) || error.status >= 500) throw error;
  return refusalOf(error, posted);
}

const pendingCookie = 'staff-sign-in';
const pending = z.object({ email: z.string(), request_id: z.string() });

/** Which request the code answers stays in the browser, so that a code serves the browser that asked for it. */
function keepRequest(ctx: Context, res: Response, value: z.infer<typeof pending>, maxAgeS: number): void {
  const text = Buffer.from(JSON.stringify(value)).toString('base64url');
  createCookies(ctx.config.PUBLIC_URL).set(res, pendingCookie, { value: text, maxAgeS });
}

function forgetRequest(ctx: Context, res: Response): void {
  createCookies(ctx.config.PUBLIC_URL).clear(res, pendingCookie);
}

/** Null for a program without cookies: then codes count that were asked for from the same network. */
function requestIdOf(ctx: Context, req: Request, email: string): string | null {
  const text = createCookies(ctx.config.PUBLIC_URL).read(req, pendingCookie);
  if (text === null) return null;
  try {
    const kept = pending.parse(JSON.parse(Buffer.from(text, 'base64url').toString('utf8')));
    return kept.email === email ? kept.request_id.slice(0, 64) : null;
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof z.ZodError) return null;
    throw error;
  }
}

function signInView(refusal: Refusal | null): View {
  const content = field({
    name: 'email',
    label: 'E-mail address',
    hint: 'We send a code to this address, if it is a member’s.',
    type: 'email',
    autocomplete: 'email',
    isRequired: true,
    refusal,
  });
  return {
    title: 'Sign in',
    main: html`<h1>Sign in to the console</h1>
${form({ action: '/console/sign-in', content, button: 'Send me a code', refusal })}`,
  };
}

function codeView(email: string, refusal: Refusal | null): View {
  const code = field({
    name: 'code',
    label: 'Code',
    hint: 'Six digits.',
    autocomplete: 'one-time-code',
    inputmode: 'numeric',
    isRequired: true,
    refusal: withoutTyped(refusal),
  });
  return {
    title: 'Enter the code',
    main: html`<h1>Enter the code</h1>
<p>If ${email} is the address of a member, we have sent a code to it. It works for 10 minutes.</p>
${form({ action: '/console/sign-in/code', content: html`${code}${hidden('email', email)}`, button: 'Sign in', refusal })}
<section class="block"><h2>No e-mail?</h2>
<p>Look into the folder for unwanted mail, or ask an owner of your organization whether you are a member.</p>
${form({ action: '/console/sign-in', content: hidden('email', email), button: 'Send a new code', tone: 'plain' })}
<p><a href="/console/sign-in">Use another address</a></p></section>`,
  };
}

type Choice = { readonly partner_id: number; readonly partner_name: string };

/** One address can be a member's at several partners. The code is not used up. */
function chooseView(email: string, code: string, choices: readonly Choice[]): View {
  return {
    title: 'Choose your organization',
    main: html`<h1>Choose your organization</h1>
<form method="post" action="/console/sign-in/code" class="accounts">${hidden('email', email)}${hidden('code', code)}
${choices.map(({ partner_id, partner_name }) => html`<button type="submit" class="button" name="partner_id" value="${partner_id}"><b>${partner_name}</b></button>\n`)}</form>`,
  };
}
