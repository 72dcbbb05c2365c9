import { toPartnerTime } from '@casewatch/contracts';
import type { Handler } from '@casewatch/platform';
import type { Context } from '../context.ts';
import { presentAcknowledgement } from '../present/acknowledgement.ts';
import { ownCase } from './own-case.ts';

/** GET /v1/client/cases/{case_ref}/acknowledgements */
export function listAcknowledgements(ctx: Context): Handler<'list_acknowledgements'> {
  return async ({ caller, params }) => {
    const { _id } = await ownCase(ctx, caller, { ref: params.case_ref });
    const rows = await ctx.stores.acknowledgements.ofCase(_id);
    return { body: { acknowledgements: rows.map((row) => presentAcknowledgement(row, toPartnerTime)) } };
  };
}
