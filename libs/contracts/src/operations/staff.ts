import { z } from 'zod';
import { email, idText, language, name, timeZone } from '../fields.ts';
import { operation } from '../operation.ts';
import { staffRole } from '../principal.ts';
import { staffExport, staffMember, staffMemberRead, staffStatus } from '../resources/staff.ts';
import { done, maxRows, page, paging } from './common.ts';

const params = z.strictObject({ staff_id: idText });
const oneMember = z.strictObject({ ...done, staff_member: staffMember });

/** The people who work at a partner (firm.md §1). */
export const staffOperations = {
  list_staff: operation({
    service: 'identity',
    method: 'GET',
    path: '/v1/client/staff',
    summary: 'List staff members',
    note: 'Returns the members of your staff, newest first, including invited and disabled members.',
    who: ['partner'],
    scope: 'staff',
    query: z.strictObject(paging),
    success: { status: 200, body: z.strictObject({ staff: z.array(staffMemberRead).max(maxRows), ...page }) },
    errors: ['invalid_cursor'],
  }),
  invite_staff_member: operation({
    service: 'identity',
    method: 'POST',
    path: '/v1/client/staff',
    summary: 'Invite a staff member',
    note: 'Sends an invitation by e-mail. Its link works once, for 7 days. With `resend: true`, a member who has not accepted yet gets a new invitation with this name and role, and the former link no longer works. The calling key can only give roles that permit no more than the key itself. You can send 50 invitations a day.',
    idempotent: true,
    who: ['partner'],
    scope: 'staff',
    body: z.strictObject({
      email,
      name,
      role: staffRole,
      language: language.optional(),
      time_zone: timeZone.nullable().optional(),
      resend: z.boolean().default(false),
    }),
    success: { status: 201, body: oneMember },
    errors: ['staff_already_exists', 'rate_limited'],
  }),
  get_staff_member: operation({
    service: 'identity',
    method: 'GET',
    path: '/v1/client/staff/{staff_id}',
    summary: 'Get a staff member',
    note: 'Retrieves one member of your staff.',
    who: ['partner'],
    scope: 'staff',
    params,
    success: { status: 200, body: z.strictObject({ staff_member: staffMemberRead }) },
    errors: ['staff_not_found'],
  }),
  update_staff_member: operation({
    service: 'identity',
    method: 'PUT',
    path: '/v1/client/staff/{staff_id}',
    summary: 'Update a staff member',
    note: 'Changes the fields that you send. A change ends the invitation of a member who has not accepted it; send a new one with `resend`. The calling key can only give access and roles that permit no more than the key itself. At least one active owner stays.',
    who: ['partner'],
    scope: 'staff',
    params,
    body: z.strictObject({
      name: name.optional(),
      role: staffRole.optional(),
      status: staffStatus.exclude(['invited']).optional(),
      language: language.optional(),
      time_zone: timeZone.nullable().optional(),
    }),
    success: { status: 200, body: oneMember },
    errors: ['empty_update', 'staff_not_found', 'last_owner'],
  }),
  remove_staff_member: operation({
    service: 'identity',
    method: 'DELETE',
    path: '/v1/client/staff/{staff_id}',
    summary: 'Remove a staff member',
    note: 'Ends the access of a member, and the invitation. Casewatch keeps the id and the name, and deletes the e-mail address after 30 days. At least one active owner stays.',
    who: ['partner'],
    scope: 'staff',
    params,
    success: { status: 200, body: oneMember },
    errors: ['staff_not_found', 'last_owner'],
  }),
  export_staff_member: operation({
    service: 'identity',
    method: 'GET',
    path: '/v1/client/staff/{staff_id}/export',
    summary: 'Export the data of a staff member',
    note: 'Returns everything that is stored about a member, also after the removal.',
    who: ['partner'],
    scope: 'staff',
    params,
    success: { status: 200, body: z.strictObject({ staff_member: staffExport }) },
    errors: ['staff_not_found'],
  }),
};
