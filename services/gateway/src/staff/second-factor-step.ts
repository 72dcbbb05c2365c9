import type { FactorKey, SignInStep } from '@casewatch/contracts';
import { ApiError, html } from '@casewatch/platform';
import type { Express, Request, Response } from 'express';
import type { Context } from '../context.ts';
import { guardOf } from '../http/pages/console-entry.ts';
import type { ConsoleKind } from '../http/pages/console-kind.ts';
import { createCookies } from '../http/pages/cookies.ts';
import { readForm } from '../http/pages/read-form.ts';
import { refusalOf } from '../http/pages/refusal.ts';
import { sendView } from '../http/pages/send-page.ts';
import type { Refusal, View } from '../pages/page.ts';
import { field, form } from '../pages/parts/form.ts';
import { browserName } from './browser-name.ts';
import { appCodeField, keySteps, recoveryCodes, withoutTyped } from './second-factor-views.ts';
import { takeReturn } from './sign-in-return.ts';

// The second step of a sign-in (firm.md §1): the code of the app or a recovery code; or the set-up of a second factor, where the firm
// requires one. The token of the step is in a cookie of this browser alone.

const stepCookie = 'staff-sign-in-step';
/** As in the requests to identity. */
const maxTokenLength = 256;
const path = '/console/sign-in/second-factor';

/** Sends the browser to the second step of its sign-in. */
export function goToStep(ctx: Context, res: Response, { token, expires_at }: SignInStep): void {
  const maxAgeS = (Date.parse(expires_at) - ctx.clock.now().getTime()) / 1_000;
  createCookies(ctx.config.PUBLIC_URL).set(res, stepCookie, { value: token, maxAgeS });
  res.redirect(303, path);
}

export function mountSecondFactorStep(app: Express, ctx: Context, kind: ConsoleKind): void {
  const guarded = guardOf(ctx, kind);
  const cookies = createCookies(ctx.config.PUBLIC_URL);

  /** Null: the sign-in begins again. */
  function readToken(req: Request): string | null {
    const token = cookies.read(req, stepCookie);
    return token !== null && token.length <= maxTokenLength ? token : null;
  }

  /** Shows the step; one that is no longer open is forgotten. */
  async function showStep({ req, res, token }: Shown, refusal: StepRefusal | null): Promise<void> {
    try {
      const step = await ctx.bus.request('identity.sign_in_step', { token });
      const view = step.key === null ? codeView(refusal) : setUpView(step.partner_name, step.key, refusal);
      sendView({ kind, req, res }, null, { ...view, ...(refusal && { status: refusal.status }) });
    } catch (error) {
      if (!(error instanceof ApiError) || error.code !== 'invalid_login_code') throw error;
      cookies.clear(res, stepCookie);
      sendView({ kind, req, res }, null, { ...goneView(error.message), status: error.status });
    }
  }

  app.get(
    path,
    guarded(async (req, res) => {
      const token = readToken(req);
      if (token === null) res.redirect(303, '/console/sign-in');
      else await showStep({ req, res, token }, null);
    }),
  );
  app.post(
    path,
    guarded(async (req, res) => {
      const { code = '', recovery_code = code } = await readForm({ ctx, req, res });
      const token = readToken(req);
      if (token === null) {
        res.redirect(303, '/console/sign-in');
        return;
      }
      try {
        const { session, recovery_codes } = await ctx.bus.request('identity.finish_sign_in', {
          token,
          code: String(recovery_code).slice(0, 64),
          address: req.ip ?? 'unknown',
          browser: browserName(req.get('user-agent')),
        });
        cookies.clear(res, stepCookie);
        await kind.enter(req, res, session);
        const to = takeReturn(ctx, req, res);
        if (recovery_codes.length === 0) res.redirect(303, to);
        else sendView({ kind, req, res }, null, codesView(recovery_codes, to));
      } catch (error) {
        if (!(error instanceof ApiError) || error.status >= 500) throw error;
        const isRecovery = recovery_code !== code;
        await showStep({ req, res, token }, { ...refusalOf(error, {}), isRecovery });
      }
    }),
  );
}

type Shown = { readonly req: Request; readonly res: Response; readonly token: string };

/** `isRecovery`: of a recovery code, which has a form of its own. */
type StepRefusal = Refusal & { readonly isRecovery: boolean };

function codeView(refusal: StepRefusal | null): View {
  const isRecovery = refusal?.isRecovery === true;
  const [ofApp, ofRecovery] = isRecovery ? [null, refusal] : [refusal, null];
  const recovery = field({
    name: 'recovery_code',
    label: 'Recovery code',
    hint: 'Ten letters and digits. Each works once.',
    isRequired: true,
    refusal: withoutTyped(ofRecovery),
  });
  return {
    title: 'Enter the second code',
    main: html`<h1>Enter the code of your app</h1>
${form({ action: path, content: appCodeField(ofApp), button: 'Sign in', refusal: ofApp })}
<details class="more"${isRecovery && html` open`}><summary>I do not have the app</summary>
<p>Use one of the recovery codes that you kept when you set it up.</p>
${form({ action: path, content: recovery, button: 'Sign in with the recovery code', tone: 'plain', refusal: ofRecovery })}
<p class="small quiet">No codes either? An owner of your organization can remove the second factor; for the last owner, the operator of Casewatch can.</p></details>
<p><a href="/console/sign-in">Begin again</a></p>`,
  };
}

function setUpView(partnerName: string, key: FactorKey, refusal: Refusal | null): View {
  return {
    title: 'Set up a second factor',
    main: html`<h1>Set up a second factor</h1>
<p><b>${partnerName}</b> requires a second factor: from now on you sign in with a code from an e-mail and a code from an app.</p>
${form({ action: path, content: keySteps(key, refusal), button: 'Confirm and sign in', refusal })}
<p><a href="/console/sign-in">Begin again</a></p>`,
  };
}

function codesView(codes: readonly string[], to: string): View {
  return {
    title: 'Your recovery codes',
    main: html`<h1>Your recovery codes</h1>
${recoveryCodes(codes)}
<p><a class="button primary" href="${to}">I have kept them: open the console</a></p>`,
  };
}

function goneView(message: string): View {
  return {
    title: 'Sign in',
    main: html`<h1>Sign in again</h1>
<p>${message}</p>
<p><a class="button primary" href="/console/sign-in">Sign in</a></p>`,
  };
}
