import { html } from '@casewatch/platform';
import type { Express, Request, Response } from 'express';
import type { ConsoleLink } from '../../auth/console-sessions.ts';
import type { Context } from '../../context.ts';
import { addressLimit } from '../../limits/address-limit.ts';
import { linkPageHeaders, pageHeaders } from '../../pages/layout.ts';
import type { View } from '../../pages/page.ts';
import { count } from '../authorise-request.ts';
import type { ConsoleKind } from './console-kind.ts';
import { readForm } from './read-form.ts';
import { assertSameOrigin } from './same-origin.ts';
import { sendFailure, sendView } from './send-page.ts';

/** The way into the console and out of it, for callers without a session. */
export function mountConsoleEntry(app: Express, ctx: Context, kind: ConsoleKind): void {
  const guarded = guardOf(ctx, kind);
  app.get(
    '/console/enter',
    guarded(async (req, res) => {
      // The address has the token (interface.md §1).
      res.set(linkPageHeaders);
      const token = String(req.query.token ?? '');
      sendView({ kind, req, res }, null, enterView(token, await ctx.consoles.look(token)));
    }),
  );
  app.post(
    '/console/enter',
    guarded(async (req, res) => {
      const { token = '' } = await readForm({ ctx, req, res });
      await kind.enter(req, res, await ctx.consoles.open(String(token)));
      res.redirect(303, '/console');
    }),
  );
  app.post(
    '/console/sign-out',
    guarded(async (req, res) => {
      // A browser without fields in its form signs out here alone.
      const { all } = req.is('application/x-www-form-urlencoded') ? await readForm({ ctx, req, res }) : {};
      await kind.leave(req, res, { all: all === 'on' || all === 'true' });
      res.set('clear-site-data', '"cache"').redirect(303, '/console/signed-out');
    }),
  );
  app.get(
    '/console/signed-out',
    guarded(async (req, res) => {
      sendView({ kind, req, res }, null, signedOutPage);
    }),
  );
}

type Work = (req: Request, res: Response) => Promise<void>;

/** Serves a page to callers without a session: its address is counted, a form comes from ours, and an error is a page. */
export function guardOf(ctx: Context, kind: ConsoleKind): (work: Work) => Work {
  return (work) => async (req, res) => {
    res.locals.operation = `page ${req.path}`;
    res.set(pageHeaders);
    try {
      await count(addressLimit(ctx.limits, req.ip ?? 'unknown'), res);
      if (req.method === 'POST') assertSameOrigin(req, ctx.config.PUBLIC_URL);
      await work(req, res);
    } catch (error) {
      sendFailure({ ctx, kind, req, res }, null, error);
    }
  };
}

/**
 * A button, because programs that scan mails open links. It says whose console opens: somebody else's link would sign a clerk
 * in to a console that others read.
 */
function enterView(token: string, { partner_name, actor, read_only }: ConsoleLink): View {
  return {
    title: 'Open the console',
    main: html`<h1>Open the console</h1>
<p>This link opens the console of <b>${partner_name}</b> for <b>${actor}</b>${read_only && ', to read only'}. It works once.</p>
<p>If this is not your organization or not you, close this page.</p>
<form method="post" action="/console/enter">
<input type="hidden" name="token" value="${token}">
<button class="button primary" type="submit">Open the console</button>
</form>`,
  };
}

const signedOutPage: View = {
  title: 'Signed out',
  main: html`<h1>You are signed out</h1>
<p>This browser no longer has access to the console.</p>
<p><a class="button" href="/console/sign-in">Sign in</a></p>`,
};
