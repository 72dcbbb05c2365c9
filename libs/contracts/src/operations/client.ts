import { alerts } from '../resources/alerts.ts';
import { z } from 'zod';
import { caseUrl, email, line, timeZone } from '../fields.ts';
import { operation } from '../operation.ts';
import { client, clientRead, secondFactorRule } from '../resources/client.ts';
import { done } from './common.ts';

const logoUrl = z
  .string()
  .max(2_048)
  // A URL parser takes spaces, other letters, user names and no slashes at all: mail programs differ. So it is a host,
  // perhaps a port, and from the path on visible ASCII (RFC 3986 §2).
  .regex(/^https:\/\/[A-Za-z0-9.-]+(:[0-9]{1,4})?([/?#][\x21-\x7e]*)?$/, {
    error: 'must be an https URL without spaces',
    abort: true,
  })
  .refine((text) => URL.canParse(text), 'must be an https URL without spaces')
  .nullable();

/** A partner's own profile (specification §4, Client). */
export const clientOperations = {
  get_profile: operation({
    service: 'identity',
    method: 'GET',
    path: '/v1/client/profile',
    summary: 'Get your profile',
    note: 'Retrieves your profile, the number of your users and cases, and your limits.',
    who: ['partner'],
    scope: 'profile:read',
    role: 'viewer',
    success: { status: 200, body: z.strictObject({ client: clientRead }) },
    errors: [],
  }),
  update_logo: operation({
    service: 'identity',
    method: 'PUT',
    path: '/v1/client/logo',
    summary: 'Update your logo',
    note: 'Sets the logo that users see in e-mails and on pages. Casewatch fetches the picture once and serves its own copy: PNG, JPEG or WebP, at most 200 KiB, without a redirect. If that fails, `logo_fault` tells why and users see no logo; repeat the request to try again. Send null to remove the logo.',
    who: ['partner'],
    scope: 'profile:write',
    role: 'owner',
    isSensitive: true,
    recorded: 'effect',
    deadlineMs: 8_000,
    body: z.strictObject({
      logo_url: logoUrl,
    }),
    success: { status: 200, body: z.strictObject({ ...done, client }) },
    errors: [],
  }),
  update_profile: operation({
    service: 'identity',
    method: 'PUT',
    path: '/v1/client/profile',
    summary: 'Update your settings',
    note: 'Changes the settings that you send. All owners of your staff are told by e-mail. A new `reply_to` takes effect when somebody has opened the link in the e-mail to it and pressed the button; until then it is `pending_reply_to`. `{user_case_id}` in `case_url` is replaced. A new logo is taken over as in *Update your logo*. Null empties a setting. `second_factor` is who must sign in to the console with a second factor: `none`, `owners` or `all`; members who have none set it up at the next sign-in, and their sessions no longer work. `names_in_mails` is whether e-mails to your staff name the client. `new_member_alerts` are the `alerts` of members whom you invite from now on; what you do not send stays as it is.',
    who: ['partner'],
    scope: 'settings',
    role: 'owner',
    isSensitive: true,
    recorded: 'effect',
    deadlineMs: 8_000,
    body: z.strictObject({
      logo_url: logoUrl.optional(),
      reply_to: email.nullable().optional(),
      support_contact: line(1, 200).nullable().optional(),
      case_url: caseUrl.nullable().optional(),
      time_zone: timeZone.nullable().optional(),
      calendar_addresses: z.boolean().optional(),
      names_in_mails: z.boolean().optional(),
      new_member_alerts: alerts.partial().optional(),
      second_factor: secondFactorRule.optional(),
    }),
    success: { status: 200, body: z.strictObject({ ...done, client }) },
    errors: ['empty_update', 'rate_limited'],
  }),
};
