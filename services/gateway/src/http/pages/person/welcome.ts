import { ApiError } from '@casewatch/platform';
import { linkPageHeaders } from '../../../pages/layout.ts';
import { takenWelcomeView, usedWelcomeView, welcomeView } from '../../../pages/people/welcome.ts';
import { readLinkToken } from '../../../staff/link-token.ts';
import { readForm } from '../read-form.ts';
import { sendView } from '../send-page.ts';
import type { EntryVisit } from './entry-visit.ts';
import { endFormerSession } from './sign-out.ts';

/** Where the link of a welcome leads. The page changes nothing. */
export async function showWelcome(visit: EntryVisit): Promise<void> {
  // The address has the token (interface.md §1).
  visit.res.set(linkPageHeaders);
  await showLink(visit, visit.req.query.token);
}

/** The button: the account exists from here on, and the browser is signed in to it. */
export async function openAccount(visit: EntryVisit): Promise<void> {
  const { ctx, kind, req, res, language } = visit;
  const { token } = await readForm(visit);
  try {
    const tokens = await ctx.bus.request('identity.open_account', {
      token: readLinkToken(token, refusedLink),
      language,
      address: req.ip ?? 'unknown',
    });
    await endFormerSession(visit);
    kind.set(res, tokens);
    res.redirect(303, '/start');
  } catch (error) {
    // Used meanwhile, or somebody has the address by now: the page of the link says which, and has a way on.
    if (!(error instanceof ApiError) || ![refusedLink, 'email_already_exists'].includes(error.code))
      throw error;
    await showLink(visit, token);
  }
}

const refusedLink = 'invalid_verification_token';

/** @throws ApiError of a question that was not answered */
async function showLink(visit: EntryVisit, from: unknown): Promise<void> {
  const { language } = visit;
  const { token, welcome } = await look(visit, from);
  if (welcome === null) sendView(visit, null, { ...usedWelcomeView(language), status: 400 });
  else if (welcome.has_account)
    sendView(visit, null, { ...takenWelcomeView(language, welcome.email), status: 409 });
  else sendView(visit, null, welcomeView(language, token, welcome.email));
}

/** What cannot be a token is not asked about. */
async function look({ ctx }: EntryVisit, from: unknown) {
  try {
    const token = readLinkToken(from, refusedLink);
    return { token, ...(await ctx.bus.request('identity.welcome', { token })) };
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== refusedLink) throw error;
    return { token: '', welcome: null };
  }
}
