import type { OperationHandlers } from '@casewatch/platform';
import type { Context } from '../context.ts';
import { check } from './check.ts';
import { createCase, createPartnerCase } from './create-case.ts';
import { deleteCase } from './delete-case.ts';
import { getCase, getPartnerCase } from './get-case.ts';
import { getStatus } from './get-status.ts';
import { listAcknowledgements } from './list-acknowledgements.ts';
import { listCases } from './list-cases.ts';
import { listPartnerCases } from './list-partner-cases.ts';
import { updateCase } from './update-case.ts';

export const routes: OperationHandlers<'cases', Context> = {
  create_partner_case: createPartnerCase,
  update_case: updateCase,
  list_partner_cases: listPartnerCases,
  get_partner_case: getPartnerCase,
  list_acknowledgements: listAcknowledgements,
  list_cases: listCases,
  create_case: createCase,
  get_case: getCase,
  delete_case: deleteCase,
  check,
  get_status: getStatus,
};
