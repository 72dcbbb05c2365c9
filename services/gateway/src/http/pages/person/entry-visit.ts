import type { Language } from '@casewatch/contracts';
import type { Request, Response } from 'express';
import type { Context } from '../../../context.ts';
import type { Cookies } from '../cookies.ts';
import type { PersonKind } from './kind.ts';

/** One visit of a page for people who are not signed in. */
export type EntryVisit = {
  readonly ctx: Context;
  readonly kind: PersonKind;
  readonly cookies: Cookies;
  readonly req: Request;
  readonly res: Response;
  readonly language: Language;
};
