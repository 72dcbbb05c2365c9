import type { OwnCalendarReply } from '@casewatch/contracts';
import { ApiError, allowHeader, html, type Markup } from '@casewatch/platform';
import type { Express } from 'express';
import type { Context } from '../context.ts';
import { askWithinLimit } from '../http/authorise-request.ts';
import { addressLimit } from '../limits/address-limit.ts';
import type { View } from '../pages/page.ts';
import { notice, pageHead, secret as secretBlock, section } from '../pages/parts/blocks.ts';
import { form, hidden } from '../pages/parts/form.ts';
import type { Times } from '../pages/parts/time.ts';
import { calendarOf } from './ics.ts';

/** 256 bits as base64url. */
const filePattern = /^([\w-]{43})\.ics$/;

/** A secret in an address: nobody keeps the answer, and no link leads on with it. */
const headers = { 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' };

export function calendarPath(secret: string): string {
  return `/v1/calendar/${secret}.ics`;
}

/**
 * The calendar of a member: answers that are due. Its secret is asked for each time, so that an address ends with its member. An
 * address that never was and one that ended look alike.
 */
export function addCalendar(app: Express, ctx: Context): void {
  const route = '/v1/calendar/:file';
  app.all(route, (_req, res, next) => {
    // Logs and traces name the route: the path is a secret.
    res.locals.operation = `page ${route}`;
    next();
  });
  app.get(route, async (req, res) => {
    const limit = addressLimit(ctx.limits, req.ip ?? 'unknown');
    const text = await askWithinLimit(limit, res, (beforeAsking) => read(req.params.file, beforeAsking));
    res.set(headers).type('text/calendar; charset=utf-8').send(text);
  });
  app.all(route, () => {
    throw new ApiError('method_not_allowed', { headers: { allow: allowHeader(['GET']) } });
  });

  /** @throws ApiError route_not_found; what `beforeAsking` throws */
  async function read(file: string, beforeAsking: () => void): Promise<string> {
    const none = new ApiError('route_not_found', { message: 'There is no such calendar.' });
    const secret = filePattern.exec(file)?.[1];
    if (secret === undefined) throw none;
    beforeAsking();
    const { member } = await ctx.bus.request('identity.calendar', { secret });
    if (member === null) throw none;
    const { due } = await ctx.bus.request('cases.due', member);
    return calendarOf(due, ctx.config.PUBLIC_URL);
  }
}

/** On the page of the member's sessions. */
export function calendarSection(times: Times, { created_at: since, is_allowed }: OwnCalendarReply): Markup {
  // The owner who forbids addresses ends those that there are.
  if (!is_allowed)
    return section(
      'Your calendar',
      html`<p>An owner of your organization has forbidden calendar addresses.</p>`,
    );
  const action = '/console/sessions/calendar';
  const content = since
    ? html`<p>You have an address, made ${times.ago(since)}. A new one replaces it.</p>
${form({ action, button: 'Replace the address', tone: 'plain' })}
${form({ action, content: hidden('end', 'true'), button: 'End the address', tone: 'danger' })}`
    : form({ action, button: 'Make an address', tone: 'plain' });
  return section(
    'Your calendar',
    html`<p>A secret address shows the answers that are due in your calendar program: those of your cases, and of cases on which nobody works. It has no names, receipt numbers, forms or statuses. Whoever has the address sees it without signing in.</p>
${content}`,
  );
}

export function newCalendarView(url: string): View {
  const main = html`${pageHead({ title: 'Your calendar', back: { href: '/console/sessions', text: 'Your sessions' } })}
${notice('warn', 'Copy this address now: it is not shown again. Any address before it has ended.')}
${secretBlock(url)}
<p>In your calendar program, subscribe to this address. It is read about once an hour.</p>`;
  return { title: 'Your calendar', main };
}
