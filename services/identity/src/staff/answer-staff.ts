import { maxStaff } from '@casewatch/contracts';
import type { RequestHandler } from '@casewatch/platform';
import type { Context } from '../context.ts';
import type { StaffMember } from '../store/staff.ts';

/** The fields of members that another service asks for, and no others. Who belongs to another partner is absent. */
export function answerStaff(ctx: Context): RequestHandler<'identity.staff'> {
  return async ({ partner_id, ids, after = 0, fields }) => {
    const found = ids
      ? await ctx.stores.staff.findSome(partner_id, ids)
      : await ctx.stores.staff.pageById({ partnerId: partner_id, afterId: after, limit: maxStaff + 1 });
    const shown = found.slice(0, maxStaff);
    const partner = fields.includes('time_zone') ? await ctx.stores.partners.find(partner_id) : null;
    const asked = new Set<string>(['id', ...fields]);
    const staff = shown.map((member) => {
      const all = personOf(member, partner?.time_zone ?? null);
      return { ...Object.fromEntries(Object.entries(all).filter(([name]) => asked.has(name))), id: all.id };
    });
    return { staff, has_more: found.length > shown.length };
  };
}

function personOf(member: StaffMember, zoneOfPartner: string | null) {
  const { _id: id, email, name, role, status, language, time_zone, removed_at, version } = member;
  return {
    id,
    email,
    name,
    role,
    status,
    language,
    time_zone: time_zone ?? zoneOfPartner,
    removed_at: removed_at?.toISOString() ?? null,
    version,
  };
}
