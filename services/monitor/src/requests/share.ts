import type { ReplyInput, RequestData } from '@casewatch/contracts';
import type { Context } from '../context.ts';
import { partnerShareOf } from '../domain/shares.ts';
import { shareSettingsOf } from './share-settings.ts';

/** Answers `monitor.share`: the live checks that a partner may ask for in a day of the government. */
export function answerShare({ config, stores }: Pick<Context, 'config' | 'stores'>) {
  const settings = shareSettingsOf(config);
  return async ({ partner_id }: RequestData<'monitor.share'>): Promise<ReplyInput<'monitor.share'>> => {
    const own = await stores.callerShares.limitOf(partner_id);
    return { live_checks_per_day: partnerShareOf(settings, own) };
  };
}
