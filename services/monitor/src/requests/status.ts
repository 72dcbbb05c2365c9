import type { RequestHandler } from '@casewatch/platform';
import type { Context } from '../context.ts';
import { readStatus } from '../scheduling/status.ts';

export function answerStatus(ctx: Context): RequestHandler<'monitor.status'> {
  return () => readStatus(ctx);
}
