import { type ConsoleSessionReply, caseRef, idText, type Scope } from '@casewatch/contracts';
import { ApiError, html, type Markup } from '@casewatch/platform';
import { z } from 'zod';
import { type AnyPage, type FormPages, formPages, type Page, type PageCall } from '../page.ts';
import { optionalText } from '../parts/form.ts';
import { assertTimeToFill } from './recent-sign-in.ts';

export type ConsoleCall<P = unknown, Q = unknown, F = unknown> = PageCall<ConsoleSessionReply, P, Q, F>;

/** Checks the types of one page of the console. */
export function consolePage<P, Q, F>(page: Page<ConsoleSessionReply, P, Q, F>): AnyPage<ConsoleSessionReply> {
  return page;
}

/** The two pages of a form with an address of its own. Where its operation needs a recent sign-in, the empty form does, too. */
export function consoleForm<P, F>(
  pages: FormPages<ConsoleSessionReply, P, F>,
): AnyPage<ConsoleSessionReply>[] {
  return formPages({
    ...pages,
    async view(call, refusal) {
      if (refusal === null) assertTimeToFill(pages.path, call.session.principal, call.times.now);
      return await pages.view(call, refusal);
    },
  });
}

export const casePath = z.object({ case_ref: caseRef });
export const userPath = z.object({ user_id: idText });
export const webhookPath = z.object({ webhook_id: idText });

/** Whether the session has a scope. */
export function can({ session }: Pick<ConsoleCall, 'session'>, scope: Scope): boolean {
  return session.principal.scopes.includes(scope);
}

/** Null while the service that answers is away: the page shows the rest. */
export async function ifAvailable<T>(answer: Promise<T>): Promise<T | null> {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof ApiError && error.code === 'service_unavailable') return null;
    throw error;
  }
}

/** Choices of a field `hours`. */
export const lastHours = [
  { value: '1', text: 'Last hour' },
  { value: '24', text: 'Last 24 hours' },
  { value: '168', text: 'Last 7 days' },
  { value: '720', text: 'Last 30 days' },
];

/** The form of a rotation: for so long the old secret works beside the new one. Read as the operations take it. */
export function overlapForm(maxHours: number) {
  return z
    .object({
      // An empty field is no overlap of 0 hours, which would end the old secret at once.
      overlap_hours: z.string().trim().min(1).transform(Number).pipe(z.number().min(0).max(maxHours)),
      idempotency_key: optionalText,
    })
    .transform(({ overlap_hours, idempotency_key }) => ({
      body: { overlap_seconds: Math.round(overlap_hours * 3_600) },
      idempotencyKey: idempotency_key,
    }));
}

/** The field of `overlapForm`. `id`: a page can have several. */
export function overlapField(id: string, maxHours: number): Markup {
  return html`<div class="field"><label for="${id}">Overlap, hours</label>
<input id="${id}" name="overlap_hours" type="number" min="0" max="${maxHours}" value="24" required></div>`;
}
