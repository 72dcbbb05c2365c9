import { errorCatalogue, isErrorCode, titleOf } from '@casewatch/contracts';
import { ApiError } from '@casewatch/platform';
import type { Request, Response } from 'express';

/** The page that a problem's `type` leads to: what the code means. */
export function problemPage(req: Request, res: Response): void {
  const code = String(req.params.code);
  if (!isErrorCode(code)) throw new ApiError('route_not_found');
  const { status, message } = errorCatalogue[code];
  res.set('cache-control', 'public, max-age=300');
  res.type('html').send(`<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>${code}</title>
<h1>${code}</h1>
<p>Status ${status} ${titleOf(status)}</p>
<p>${message}</p>
</html>
`);
}
