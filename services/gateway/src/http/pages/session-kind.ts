import type { Language, LimitPolicy, Principal } from '@casewatch/contracts';
import type { ApiError } from '@casewatch/platform';
import type { Request, Response } from 'express';
import type { View } from '../../pages/page.ts';

export type FrameOptions<Session> = {
  readonly session: Session | null;
  readonly view: View;
  /** Path and query of the page. */
  readonly url: string;
  readonly language: Language;
};

export type Failure<Session> = Omit<FrameOptions<Session>, 'view'> & { readonly requestId: string };

/** How one surface (console, people) knows its callers and frames its pages. */
export type SessionKind<Session> = {
  /** Zone of times until the browser has told its own. */
  zoneOf(session: Session): string;
  languageOf(req: Request, session: Session | null): Language;
  /** The session of the cookie; it sets a new cookie when the token was renewed. @throws ApiError */
  load(req: Request, res: Response, beforeAsking: () => void): Promise<Session>;
  principalOf(session: Session): Principal;
  /** Counts requests of one caller: the policy and the id of the limit. */
  limitOf(session: Session): [LimitPolicy, string];
  /** Whether forms are refused. */
  isReadOnly(session: Session): boolean;
  /** Forgets the cookie of a session that has ended; `error` says why, if the caller did not end it. */
  forget(res: Response, error?: ApiError): void;
  /** Whether a session cannot be loaded because its account is locked or gone: nothing but its end helps. */
  isLockedOut(error: ApiError): boolean;
  /** A page for a caller without a session. */
  signedOut(error: ApiError, at: { readonly language: Language; readonly url: string }): View;
  /** Another error. */
  failed(error: ApiError, failure: Failure<Session>): View;
  frame(options: FrameOptions<Session>): string;
};
