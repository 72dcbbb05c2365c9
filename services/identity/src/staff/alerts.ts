import { isDeepStrictEqual } from 'node:util';
import { type Alerts, alertCategories, type Body, defaultAlerts } from '@casewatch/contracts';
import { faultsError } from '@casewatch/platform';
import { fault } from '../domain/check-user-body.ts';
import type { Partner } from '../store/partners.ts';
import type { StaffMember } from '../store/staff.ts';

// What a member hears, and until when the member is away (firm.md §5). Rows from before there were alerts have the default ones.

const dayMs = 24 * 60 * 60 * 1_000;
/** Nobody is away for longer, so that a mistyped year is found. */
const longestAwayMs = 366 * dayMs;

export function alertsOf({ alerts }: Pick<StaffMember, 'alerts'>): Alerts {
  return alerts ?? defaultAlerts;
}

/** Of members who are invited from now on. */
export function newMemberAlertsOf({ new_member_alerts }: Pick<Partner, 'new_member_alerts'>): Alerts {
  return new_member_alerts ?? defaultAlerts;
}

/** Null: not away, or not any more. */
export function awayUntilOf({ away_until }: Pick<StaffMember, 'away_until'>, now: Date): Date | null {
  return away_until && away_until > now ? away_until : null;
}

type SomeAlerts = { readonly [N in keyof Alerts]?: Alerts[N] | undefined };

/** What is not sent stays. Each category stands once, in the order of the table. */
export function mergedAlerts(before: Alerts, change: SomeAlerts): Alerts {
  const { immediate = before.immediate, quiet_hours = before.quiet_hours } = change;
  const { scope = before.scope, digest = before.digest, digest_at = before.digest_at } = change;
  const inOrder = alertCategories.filter((name) => immediate.includes(name));
  return { immediate: inOrder, scope, digest, digest_at, quiet_hours };
}

type AlertChange = Pick<Body<'update_staff_member'>, 'alerts' | 'away_until'>;

/**
 * The fields of alerts that a request changes. `at`: now, on the database's clock.
 * @throws ApiError validation_failed: away for too long
 */
export function changedAlerts(member: StaffMember, change: AlertChange, at: Date): Partial<StaffMember> {
  const before = alertsOf(member);
  const alerts = change.alerts ? mergedAlerts(before, change.alerts) : before;
  const isChanged = !isDeepStrictEqual(alerts, before);
  return { ...(isChanged && { alerts, alerts_changed_at: at }), ...changedAway(member, change, at) };
}

function changedAway(member: StaffMember, { away_until }: AlertChange, at: Date): Partial<StaffMember> {
  if (away_until === undefined) return {};
  const asked = away_until === null ? null : new Date(away_until);
  if (asked && asked.getTime() - at.getTime() > longestAwayMs)
    throw faultsError([fault('away_until', 'not_allowed', 'must be at most one year ahead')]);
  const until = asked && asked > at ? asked : null;
  return until?.getTime() === awayUntilOf(member, at)?.getTime() ? {} : { away_until: until };
}
