import { type Language, language } from '@casewatch/contracts';
import { languageOf } from '@casewatch/platform';
import type { Request, Response } from 'express';
import type { Cookies } from '../cookies.ts';

const cookieName = 'language';
/** A year, seconds. */
const keptS = 31_536_000;

/** Before sign-in: the choice of the link, of an earlier visit, or of the browser. */
export function chosenLanguage(cookies: Cookies, req: Request): Language {
  const chosen = [req.query.language, cookies.read(req, cookieName)].find((choice) => isLanguage(choice));
  if (isLanguage(chosen)) return chosen;
  return languageOf(req);
}

/** Keeps the choice of a link. */
export function keepLanguage(cookies: Cookies, req: Request, res: Response): void {
  const { language: choice } = req.query;
  if (isLanguage(choice)) cookies.set(res, cookieName, { value: choice, maxAgeS: keptS });
}

function isLanguage(value: unknown): value is Language {
  return language.options.some((option) => option === value);
}
