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
    summary: 'Get authenticated partner profile',
    who: ['partner'],
    scope: 'profile:read',
    success: { status: 200, body: z.strictObject({ client: clientRead }) },
    errors: [],
  }),
  update_logo: operation({
    service: 'identity',
    method: 'PUT',
    path: '/v1/client/logo',
    summary: 'Update partner logo URL',
    who: ['partner'],
    scope: 'profile:write',
    body: z.strictObject({
      logo_url: z
        .url({ protocol: /^https$/ })
        .max(2_048)
        // A URL parser takes spaces and other letters, a URI has neither (RFC 3986 §2): mail programs differ.
        .regex(/^[\x21-\x7e]+$/, 'must be an https URL without spaces')
        .nullable(),
    }),
    success: { status: 200, body: z.strictObject({ ...done, client }) },
    errors: [],
  }),
};
