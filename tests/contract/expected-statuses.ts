import type { CallerName } from '../support/callers.ts';

/** The status that each kind of caller gets. */
export type Statuses = Record<CallerName, number>;

/** Open to all: credentials change nothing, not even wrong ones. */
export const open = (status: number): Statuses => ({
  nobody: status,
  userA: status,
  userB: status,
  suspendedUser: status,
  expiredToken: status,
  partnerP: status,
  partnerQ: status,
  withoutScope: status,
  revokedKey: status,
});

/** For partners alone: P does it, Q is told `toQ`; a bearer token is no credential here. */
export const partners = (toP: number, toQ: number): Statuses => ({
  nobody: 401,
  userA: 401,
  userB: 401,
  suspendedUser: 403,
  expiredToken: 401,
  partnerP: toP,
  partnerQ: toQ,
  withoutScope: 403,
  revokedKey: 401,
});

/** For the person alone. */
export const persons = (toA: number, toB: number): Statuses => ({
  nobody: 401,
  userA: toA,
  userB: toB,
  suspendedUser: 403,
  expiredToken: 401,
  partnerP: 403,
  partnerQ: 403,
  withoutScope: 403,
  revokedKey: 401,
});

/** For the person and their partner. */
export const both = (toA: number, toP = toA, toOthers = 404): Statuses => ({
  ...partners(toP, toOthers),
  userA: toA,
  userB: toOthers,
});
