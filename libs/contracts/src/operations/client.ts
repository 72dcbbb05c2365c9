import { z } from 'zod';
import { operation } from '../operation.ts';
import { client, clientRead } from '../resources/client.ts';
import { done } from './common.ts';

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
      logo_url: z
        .string()
        .max(2_048)
        // A URL parser takes spaces, other letters, user names and no slashes at all: mail programs differ. So it is a host,
        // perhaps a port, and from the path on visible ASCII (RFC 3986 §2).
        .regex(/^https:\/\/[A-Za-z0-9.-]+(:[0-9]{1,4})?([/?#][\x21-\x7e]*)?$/, {
          error: 'must be an https URL without spaces',
          abort: true,
        })
        .refine((text) => URL.canParse(text), 'must be an https URL without spaces')
        .nullable(),
    }),
    success: { status: 200, body: z.strictObject({ ...done, client }) },
    errors: [],
  }),
};
