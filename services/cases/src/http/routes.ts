import type { Handlers } from '@casewatch/platform';
import type { Context } from '../context.ts';
import { check } from './check.ts';
import { createCase } from './create-case.ts';
import { createPartnerCase } from './create-partner-case.ts';
import { deleteCase } from './delete-case.ts';
import { getCase } from './get-case.ts';
import { getPartnerCase } from './get-partner-case.ts';
import { getStatus } from './get-status.ts';
import { listCases } from './list-cases.ts';
import { listPartnerCases } from './list-partner-cases.ts';
import { updateCase } from './update-case.ts';

/** The operations that cases answers (libs/contracts, operations/cases.ts). */
export function routes(ctx: Context): Handlers<'cases'> {
  return {
    create_partner_case: createPartnerCase(ctx),
    update_case: updateCase(ctx),
    list_partner_cases: listPartnerCases(ctx),
    get_partner_case: getPartnerCase(ctx),
    list_cases: listCases(ctx),
    create_case: createCase(ctx),
    get_case: getCase(ctx),
    delete_case: deleteCase(ctx),
    check: check(ctx),
    get_status: getStatus(ctx),
  };
}
