import type { RequestHandler } from '@casewatch/platform';
import type { Context } from '../context.ts';

export function answerState({ serviceState }: Context): RequestHandler<'cases.state'> {
  return serviceState;
}
