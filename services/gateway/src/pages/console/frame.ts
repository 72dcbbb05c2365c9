import { type ConsoleSessionReply, maxSearchText, type Scope } from '@casewatch/contracts';
import { type ApiError, html, type Markup } from '@casewatch/platform';
import { keysScript, script } from '../assets.ts';
import { cardBody, documentOf, mainPart } from '../layout.ts';
import type { View } from '../page.ts';
import { logo } from '../parts/blocks.ts';
import { returnPathOf } from './recent-sign-in.ts';

type Entry = {
  readonly href: string;
  readonly text: string;
  readonly scope: Scope;
  /** Not for the console of a key. */
  readonly isOfMember?: true;
};

const entries: readonly Entry[] = [
  { href: '/console', text: 'Changes', scope: 'cases:read' },
  { href: '/console/cases', text: 'Cases', scope: 'cases:read' },
  { href: '/console/users', text: 'Users', scope: 'users:read' },
  { href: '/console/overview', text: 'Overview', scope: 'profile:read' },
  { href: '/console/webhooks', text: 'Webhooks', scope: 'webhooks' },
  { href: '/console/events', text: 'Events', scope: 'webhooks' },
  { href: '/console/staff', text: 'Staff', scope: 'staff' },
  { href: '/console/activity', text: 'Activity', scope: 'audit' },
  { href: '/console/keys', text: 'API keys', scope: 'keys' },
  { href: '/console/alerts', text: 'Alerts', scope: 'cases:read', isOfMember: true },
  { href: '/console/settings', text: 'Settings', scope: 'profile:read' },
];

/** The first page that a session can see. A link needs the scope `keys`, unless the session is read-only. */
export function firstPage(scopes: readonly Scope[]): string {
  return entries.find(({ scope }) => scopes.includes(scope))?.href ?? '/console/none';
}

type Framed = { readonly session: ConsoleSessionReply | null; readonly view: View; readonly url: string };

export function consoleFrame({ session, view, url }: Framed): string {
  const title = `${view.title} · Casewatch`;
  const body = session ? shell(session, view, url) : cardBody(view.main);
  return documentOf({ language: 'en', title, body, scripts: [script, keysScript] });
}

export function signedOutView(error: ApiError): View {
  return {
    title: 'Console',
    main: html`<h1>Sign in to the console</h1>
<p>${error.message}</p>
<p><a class="button primary" href="/console/sign-in">Sign in</a></p>
<p class="quiet">A program opens the console with a link: <code>POST /v1/client/console-links</code>.</p>`,
  };
}

function shell(session: ConsoleSessionReply, view: View, url: string): Markup {
  const { principal, actor, read_only } = session;
  const shown = entries.filter(
    ({ scope, isOfMember }) =>
      principal.scopes.includes(scope) && (isOfMember === undefined || principal.staff_id !== undefined),
  );
  const [path = ''] = url.split('?');
  return html`<div class="shell">
<header class="side">
<p class="brand"><i class="mark" aria-hidden="true"></i>Casewatch</p>
${principal.scopes.includes('cases:read') && search(url)}
<nav aria-label="Console"><ul>
${shown.map(({ href, text }) => html`<li><a href="${href}"${isCurrent(href, path) && html` aria-current="page"`}>${text}</a></li>\n`)}</ul></nav>
<div class="who">${partnerOf(session)}<p>${actor}${principal.role && html`<br>${principal.role}`}${read_only && html`<br>read-only`}</p>
<form method="post" action="/console/sign-out"><button type="submit" class="button link">Sign out</button></form></div>
</header>
${mainPart(view.main, view)}
</div>`;
}

/** One box that finds cases: by receipt, matter number, words of the description, name or e-mail address. */
function search(url: string): Markup {
  const { searchParams } = new URL(url, 'http://page');
  return html`<form method="get" action="/console/cases" class="find" role="search" aria-label="All cases"><label class="hidden" for="f-find">Find a case</label>
<input id="f-find" type="search" name="q" maxlength="${maxSearchText}" value="${searchParams.get('q') ?? ''}" placeholder="Name, receipt, matter…" autocomplete="off" data-key="/"><button type="submit" class="hidden">Find</button></form>`;
}

function partnerOf({ partner_name, partner_logo_url }: ConsoleSessionReply): Markup | null {
  return partner_name ? html`<p class="partner">${logo(partner_logo_url)}${partner_name}</p>` : null;
}

function isCurrent(href: string, path: string): boolean {
  return href === '/console' ? path === href : path === href || path.startsWith(`${href}/`);
}

type Failed = { readonly requestId: string; readonly url: string };

export function consoleErrorView(error: ApiError, { requestId, url }: Failed): View {
  const title =
    error.status === 404 ? 'Not found' : error.status >= 500 ? 'This did not work' : 'Not possible';
  return {
    title,
    main: html`<section class="card narrow">
<h1>${title}</h1>
<p>${error.message}</p>
${error.code === 'reauthentication_required' && html`<p><a class="button primary" href="${signInAgain(url)}">Sign in again</a></p>`}<p class="quiet small">Request <code>${requestId}</code></p>
</section>`,
  };
}

/** The sign-in leads back to a form that is there for one operation. */
function signInAgain(url: string): string {
  const back = returnPathOf(url.split('?')[0]);
  return back === null ? '/console/sign-in' : `/console/sign-in?to=${back}`;
}
