import { ApiError } from '@casewatch/platform';
import type { Request } from 'express';

/**
 * Browsers say where a form comes from (Fetch Metadata, Sec-Fetch-Site); old browsers send at least `Origin`.
 * @throws ApiError cross_site_request
 */
export function assertSameOrigin(req: Request, publicUrl: string): void {
  const site = req.get('sec-fetch-site');
  const isOurs =
    site === undefined
      ? req.get('origin') === new URL(publicUrl).origin
      : site === 'same-origin' || site === 'none';
  if (!isOurs) throw new ApiError('cross_site_request');
}
