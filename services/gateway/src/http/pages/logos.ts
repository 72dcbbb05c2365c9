import { ApiError } from '@casewatch/platform';
import type { Express } from 'express';
import { LRUCache } from 'lru-cache';
import type { Context } from '../../context.ts';
import { addressLimit } from '../../limits/address-limit.ts';
import { askWithinLimit } from '../authorise-request.ts';

/** A name never has another content, so a browser keeps it for a year, s. Web mail shows logos on pages of its own. */
const headers = {
  'cache-control': 'public, max-age=31536000, immutable',
  'cross-origin-resource-policy': 'cross-origin',
};

const namePattern = /^[\w-]{22}\.(png|jpg|webp)$/;

/** Memory for logos, bytes. */
const maxSize = 16 * 1024 * 1024;

/** Names that identity does not know, and how long they are not asked for again, ms: a new logo appears within this time. */
const maxMissing = 1_000;
const missingMs = 2_000;

/** Serves our copies of the logos of partners. */
export function addLogos(app: Express, ctx: Context): void {
  const missing = new LRUCache<string, true>({ max: maxMissing, ttl: missingMs });
  const known = new LRUCache<string, Buffer>({ maxSize, sizeCalculation: ({ length }) => length });
  app.get('/logos/:name', async (req, res) => {
    const { name } = req.params;
    const limit = addressLimit(ctx.limits, req.ip ?? 'unknown');
    const content =
      known.get(name) ?? (await askWithinLimit(limit, res, (beforeAsking) => find(name, beforeAsking)));
    known.set(name, content);
    res.set(headers).type(name).send(content);
  });

  /** @throws ApiError route_not_found; what `beforeAsking` throws */
  async function find(name: string, beforeAsking: () => void): Promise<Buffer> {
    const none = new ApiError('route_not_found', { message: 'There is no such logo.' });
    if (!namePattern.test(name) || missing.has(name)) throw none;
    beforeAsking();
    const { content } = await ctx.bus.request('identity.logo', { name });
    if (content !== null) return Buffer.from(content, 'base64');
    missing.set(name, true);
    throw none;
  }
}
