import type { Handlers } from '@casewatch/platform';
import type { Context } from '../context.ts';
import { createPartnerCase } from './create-partner-case.ts';
import { getPartnerCase } from './get-partner-case.ts';
import { listPartnerCases } from './list-partner-cases.ts';
import { updateCase } from './update-case.ts';

/** The operations that cases answers (libs/contracts, operations/cases.ts). */
export function routes(ctx: Context): Handlers<'cases'> {
  return {
    create_partner_case: createPartnerCase(ctx),
    update_case: updateCase(ctx),
    list_partner_cases: listPartnerCases(ctx),
    get_partner_case: getPartnerCase(ctx),
  };
}
