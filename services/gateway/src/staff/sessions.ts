import type { StaffSessionsReply } from '@casewatch/contracts';
import { ApiError, html, type Markup } from '@casewatch/platform';
import type { Express, Request, Response } from 'express';
import type { Context } from '../context.ts';
import { guardOf } from '../http/pages/console-entry.ts';
import type { ConsoleKind } from '../http/pages/console-kind.ts';
import { readForm } from '../http/pages/read-form.ts';
import { sendView } from '../http/pages/send-page.ts';
import type { View } from '../pages/page.ts';
import { pageHead, pill } from '../pages/parts/blocks.ts';
import { form, hidden } from '../pages/parts/form.ts';
import { table } from '../pages/parts/table.ts';
import { createTimes, type Times } from '../pages/parts/time.ts';
import { calendarPath, calendarSection, newCalendarView } from './calendar.ts';

/** Where a member is signed in, how one of these sessions ends, and the address of the member's calendar (firm.md §1, §4). */
export function mountStaffSessions(app: Express, ctx: Context, kind: ConsoleKind): void {
  const guarded = guardOf(ctx, kind);
  app.get(
    '/console/sessions',
    guarded(async (req, res) => {
      const session = await loadMember(kind, req, res);
      const { sessions } = await ctx.staff.list(session.token);
      const times = createTimes({ now: ctx.clock.now(), zone: kind.zoneOf(session), language: 'en' });
      const calendar = await ctx.staff.calendar(session.token);
      sendView({ kind, req, res }, session, sessionsView(sessions, times, calendarSection(times, calendar)));
    }),
  );
  app.post(
    '/console/sessions/calendar',
    guarded(async (req, res) => {
      const session = await loadMember(kind, req, res);
      const { end } = await readForm({ ctx, req, res });
      const action = end === undefined ? 'create' : 'end';
      const secret = await ctx.staff.changeCalendar(session.token, action, req.ip ?? '');
      if (secret === null) {
        res.redirect(303, '/console/sessions');
        return;
      }
      const url = `${ctx.config.PUBLIC_URL}${calendarPath(secret)}`;
      sendView({ kind, req, res }, session, newCalendarView(url));
    }),
  );
  app.post(
    '/console/sessions/end',
    guarded(async (req, res) => {
      const session = await loadMember(kind, req, res);
      const { session_id = '' } = await readForm({ ctx, req, res });
      await ctx.staff.endOther(session.token, String(session_id).slice(0, 64));
      res.redirect(303, '/console/sessions');
    }),
  );
}

/** @throws ApiError console_session_ended; insufficient_role for the console of a key, which has no member */
export async function loadMember(kind: ConsoleKind, req: Request, res: Response) {
  const session = await kind.load(req, res, () => undefined);
  if (session.principal.staff_id !== undefined) return session;
  throw new ApiError('insufficient_role', {
    message: 'This page is for members of the staff, who sign in themselves.',
  });
}

function sessionsView(sessions: StaffSessionsReply['sessions'], times: Times, calendar: Markup): View {
  const everywhere = form({
    action: '/console/sign-out',
    content: hidden('all', 'true'),
    button: 'Sign out everywhere',
    tone: 'danger',
  });
  const main = html`${pageHead({
    title: 'Your sessions',
    sub: 'Where you are signed in. A session ends after 12 hours without use, and after 7 days in any case.',
    back: { href: '/console/settings', text: 'Settings' },
    aside: everywhere,
  })}
${table({
  caption: 'Your sessions',
  head: ['Browser', 'Network', 'Signed in', 'Last used', 'Change'],
  rows: sessions.map(({ id, browser, network, signed_in_at, last_used_at, is_own }) => [
    browser,
    html`<span class="mono small">${network ?? '–'}</span>`,
    times.ago(signed_in_at),
    times.ago(last_used_at),
    is_own
      ? pill('good', 'This one')
      : form({
          action: '/console/sessions/end',
          content: hidden('session_id', id),
          button: 'End',
          tone: 'plain',
        }),
  ]),
})}
${calendar}`;
  return { title: 'Your sessions', main };
}
