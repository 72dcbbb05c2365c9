import type { ConsoleSessionReply, SecondFactorReply } from '@casewatch/contracts';
import { ApiError, html, type Markup } from '@casewatch/platform';
import type { Express, Request, Response } from 'express';
import type { Context } from '../context.ts';
import { guardOf } from '../http/pages/console-entry.ts';
import type { ConsoleKind } from '../http/pages/console-kind.ts';
import { readForm } from '../http/pages/read-form.ts';
import { refusalOf } from '../http/pages/refusal.ts';
import { sendFailure, sendView } from '../http/pages/send-page.ts';
import type { Refusal, View } from '../pages/page.ts';
import { facts, notice, pageHead, section } from '../pages/parts/blocks.ts';
import { buttonForm, disclosure, form } from '../pages/parts/form.ts';
import { createTimes, type Times } from '../pages/parts/time.ts';
import { keySteps, recoveryCodes } from './second-factor-views.ts';
import { loadMember } from './sessions.ts';

const path = '/console/second-factor';
const back = { href: '/console/settings', text: 'Settings' };

/** A member's own second factor: set it up, set up another in its place, turn it off (firm.md §1). */
export function mountOwnSecondFactor(app: Express, ctx: Context, kind: ConsoleKind): void {
  const guarded = guardOf(ctx, kind);

  /** A page or a form of the member who is signed in; an error is a page with the menu around it. */
  const ofMember = (work: (req: Request, res: Response, session: ConsoleSessionReply) => Promise<void>) =>
    guarded(async (req, res) => {
      const session = await loadMember(kind, req, res);
      try {
        await work(req, res, session);
      } catch (error) {
        sendFailure({ ctx, kind, req, res }, session, error);
      }
    });

  async function show(
    req: Request,
    res: Response,
    { session, refusal }: { session: ConsoleSessionReply; refusal: Refusal | null },
  ): Promise<void> {
    const factor = await ctx.bus.request('identity.second_factor', { token: session.token });
    const times = createTimes({ now: ctx.clock.now(), zone: kind.zoneOf(session), language: 'en' });
    const isOff = req.query.done === 'off';
    const view = factorView(factor, { times, refusal, isOff });
    sendView({ kind, req, res }, session, { ...view, ...(refusal && { status: refusal.status }) });
  }

  app.get(
    path,
    ofMember(async (req, res, session) => await show(req, res, { session, refusal: null })),
  );
  app.post(
    `${path}/set-up`,
    ofMember(async (_req, res, { token }) => {
      await ctx.bus.request('identity.set_up_second_factor', { token });
      res.redirect(303, path);
    }),
  );
  app.post(
    path,
    ofMember(async (req, res, session) => {
      const posted = await readForm({ ctx, req, res });
      try {
        const { recovery_codes } = await ctx.bus.request('identity.confirm_second_factor', {
          token: session.token,
          code: String(posted.code ?? '').slice(0, 64),
          address: req.ip ?? 'unknown',
        });
        sendView({ kind, req, res }, session, codesView(recovery_codes));
      } catch (error) {
        const isOfCode = error instanceof ApiError && ofCode.has(error.code);
        if (!isOfCode) throw error;
        await show(req, res, { session, refusal: refusalOf(error, {}) });
      }
    }),
  );
  app.post(
    `${path}/off`,
    ofMember(async (req, res, { token }) => {
      const address = req.ip ?? 'unknown';
      await ctx.bus.request('identity.turn_off_second_factor', { token, address });
      res.redirect(303, `${path}?done=off`);
    }),
  );
}

/** Refusals of what was typed, beside the field. */
const ofCode = new Set(['invalid_login_code', 'too_many_login_attempts', 'rate_limited']);

type Shown = { readonly times: Times; readonly refusal: Refusal | null; readonly isOff: boolean };

function factorView(factor: SecondFactorReply, { times, refusal, isOff }: Shown): View {
  const { since, recovery_codes_left: left, is_required: isRequired, key } = factor;
  const sub = 'A code from an authenticator app, beside the code from an e-mail.';
  const main = html`${pageHead({ title: 'Second factor', sub, back })}
${isOff && since === null && notice('good', 'The second factor is off.')}
<div class="card">${facts([
    ['State', since === null ? 'Off' : html`On since ${times.day(since)}`],
    ['Recovery codes left', since === null ? '–' : String(left)],
    ['Required', isRequired ? 'Yes, by your organization' : 'No'],
  ])}</div>
${key && section('Set up', form({ action: path, content: keySteps(key, refusal), button: 'Turn on', refusal }))}
${!key && section(since === null ? 'Turn on' : 'Change', changes(since !== null, isRequired))}`;
  return { title: 'Second factor', main };
}

function changes(isOn: boolean, isRequired: boolean): Markup {
  if (!isOn) return buttonForm(`${path}/set-up`, 'Set up an app', 'primary');
  const off = disclosure({
    summary: 'Turn off…',
    summaryTone: 'bad',
    text: 'Then the code from an e-mail alone signs you in. The recovery codes no longer work.',
    action: `${path}/off`,
    button: 'Turn off the second factor',
    tone: 'danger',
  });
  return html`<div class="form"><p>Another phone, or new recovery codes: set it up again. Until you have confirmed the new code, everything stays as it is.</p>
${buttonForm(`${path}/set-up`, 'Set up again')}
${!isRequired && off}</div>`;
}

function codesView(codes: readonly string[]): View {
  const main = html`${pageHead({ title: 'Your recovery codes', back: { href: path, text: 'Second factor' } })}
${notice('good', 'The second factor is on. Your other sessions have ended.')}
${recoveryCodes(codes)}`;
  return { title: 'Your recovery codes', main };
}
