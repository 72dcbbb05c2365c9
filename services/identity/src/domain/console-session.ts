import type { Scope } from '@casewatch/contracts';

/** What a console may do, and for whom. `actor`: the person, as the partner names the person. */
type Grant = {
  readonly partner_id: number;
  readonly key_id: number;
  readonly actor: string;
  readonly read_only: boolean;
};

export type ConsoleLink = Grant & {
  readonly _id: string;
  readonly session_seconds: number;
  readonly used_at: Date | null;
  readonly created_at: Date;
  readonly expires_at: Date;
};

export type ConsoleSession = Grant & {
  readonly _id: string;
  readonly generation: number;
  readonly pepper_id: string;
  readonly rotated_at: Date;
  readonly created_at: Date;
  readonly expires_at: Date;
  readonly ended_at: Date | null;
};

const linkMs = 10 * 60 * 1000;
/** Time for which a token is used before it is replaced, ms: as an access token (interface.md §4, Tokens). */
const tokenMs = 15 * 60 * 1000;

export const defaultSessionSeconds = 8 * 60 * 60;

type NewLink = Grant & { readonly id: string; readonly sessionSeconds: number; readonly now: Date };

export function newConsoleLink({ id, sessionSeconds, now, ...grant }: NewLink): ConsoleLink {
  return {
    ...grant,
    _id: id,
    session_seconds: sessionSeconds,
    used_at: null,
    created_at: now,
    expires_at: new Date(now.getTime() + linkMs),
  };
}

type NewConsole = { id: string; link: ConsoleLink; pepperId: string; now: Date };

export function newConsoleSession({ id, link, pepperId, now }: NewConsole): ConsoleSession {
  const { partner_id, key_id, actor, read_only, session_seconds } = link;
  return {
    _id: id,
    ...{ partner_id, key_id, actor, read_only },
    generation: 1,
    pepper_id: pepperId,
    rotated_at: now,
    created_at: now,
    expires_at: new Date(now.getTime() + session_seconds * 1000),
    ended_at: null,
  };
}

export function isLiveConsole(session: ConsoleSession, now: Date): boolean {
  return session.ended_at === null && now < session.expires_at;
}

export function renewAt({ rotated_at, expires_at }: ConsoleSession): Date {
  return new Date(Math.min(rotated_at.getTime() + tokenMs, expires_at.getTime()));
}

/** A read-only console has the scopes that read; a scope such as `webhooks` also writes and shows secrets. */
export function consoleScopes(keyScopes: readonly Scope[], readOnly: boolean): Scope[] {
  return keyScopes.filter((scope) => !readOnly || scope.endsWith(':read'));
}
