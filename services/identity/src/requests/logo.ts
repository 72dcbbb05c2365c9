import type { RequestHandler } from '@casewatch/platform';
import type { Context } from '../context.ts';

export function answerLogo({ stores }: Context): RequestHandler<'identity.logo'> {
  return async ({ name }) => ({ content: await stores.logos.contentOf(name) });
}
