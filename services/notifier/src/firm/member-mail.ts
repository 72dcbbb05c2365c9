import type { MonitoringState, RespondBy } from '@casewatch/contracts';
import type { NotificationFacts } from '../domain/notification-facts.ts';

/**
 * One thing that a mail to a member tells. `client`: the name; null where the firm wants no names in mails. `reference`: the firm's
 * matter number, else the FLOW reference. `link`: of the case in the console.
 */
export type MemberItem = {
  readonly client: string | null;
  readonly reference: string;
  readonly link: string;
  readonly observedAt: Date;
  readonly urgent: boolean;
} & (
  | {
      readonly kind: 'change';
      readonly facts: NotificationFacts;
      readonly respondBy: string | null;
      /** The firm has sent the answer, or another status came: USCIS waits for nothing. */
      readonly isAnswered?: boolean;
    }
  | { readonly kind: 'monitoring'; readonly state: MonitoringState }
  | { readonly kind: 'reminder'; readonly due: RespondBy; readonly days: number }
);

/** The last line of what a mail tells: `more` others are behind the link. */
export type More = { readonly count: number; readonly link: string };

/** Most things that one mail lists. */
export const maxMemberItems = 50;

/** How long something is worth telling, ms. As status mails (notifier.md). */
export const lifetimeMs = 72 * 60 * 60 * 1_000;

/** Pause of what a firm is to hear that does not exist now, ms: it may be suspended, or its deletion may be withdrawn. */
export const firmGoneMs = 60 * 60 * 1_000;
