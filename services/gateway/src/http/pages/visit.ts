import type { Request, Response } from 'express';
import type { Context } from '../../context.ts';
import type { AnyPage } from '../../pages/page.ts';
import type { SessionKind } from './session-kind.ts';

/** One visit of one page. */
export type Visit<Session> = {
  readonly ctx: Context;
  readonly kind: SessionKind<Session>;
  readonly page: AnyPage<Session>;
  readonly req: Request;
  readonly res: Response;
  readonly signal: AbortSignal;
};
