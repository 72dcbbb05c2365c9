import { ApiError } from '@casewatch/platform';
import type { Express } from 'express';
import { LRUCache } from 'lru-cache';
import type { Context } from '../../context.ts';
import { addressLimit } from '../../limits/address-limit.ts';
import { count } from '../authorise-request.ts';

/** A name never has another content, so a browser keeps it for a year, s. Web mail shows logos on pages of its own. */
const headers = {
  'cache-control': 'public, max-age=31536000, immutable',
  'cross-origin-resource-policy': 'cross-origin',
};

const namePattern = /^[\w-]{22}\.(png|jpg|webp)$/;

/** Memory for logos, bytes. */
const maxSize = 16 * 1024 * 1024;

/** Serves our copies of the logos of partners. */
export function addLogos(app: Express, ctx: Context): void {
  const known = new LRUCache<string, Buffer>({ maxSize, sizeCalculation: ({ length }) => length });
  app.get('/logos/:name', async (req, res) => {
    const { name } = req.params;
    const content = known.get(name) ?? (namePattern.test(name) ? await find(name) : null);
    if (content === null) {
      await count(addressLimit(ctx.limits, req.ip ?? 'unknown'), res);
      throw new ApiError('route_not_found', { message: 'There is no such logo.' });
    }
    known.set(name, content);
    res.set(headers).type(name).send(content);
  });

  async function find(name: string): Promise<Buffer | null> {
    const { content } = await ctx.bus.request('identity.logo', { name });
    return content === null ? null : Buffer.from(content, 'base64');
  }
}
