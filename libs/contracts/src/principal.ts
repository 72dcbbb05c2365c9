import { z } from 'zod';
import { id } from './fields.ts';
import { reader } from './reading/reader.ts';
import { unknownValues } from './reading/unknown-values.ts';

/** What a partner key may be allowed to do (interface.md §4, Partner keys). */
export const scopes = [
  'users:read',
  'users:write',
  'cases:read',
  'cases:write',
  'check',
  'webhooks',
  'profile:read',
  'profile:write',
  'keys',
] as const;

export const scope = z.enum(scopes).register(unknownValues, { leftOut: true });
export type Scope = z.infer<typeof scope>;

/** A person who uses the console of a partner. `actor`: the name that the partner gave to the person. */
export const consoleActor = z.strictObject({ session_id: z.string(), actor: z.string() });

/** A partner, as identity vouches for it. */
export const partnerPrincipal = z.strictObject({
  kind: z.literal('partner'),
  partner_id: id,
  key_id: z.string(),
  scopes: z.array(scope),
});

/** An end user with a bearer token; `signed_in_at` is in seconds since 1970 (reauthentication is judged by it). */
export const userPrincipal = z.strictObject({
  kind: z.literal('user'),
  user_id: id,
  partner_id: id.nullable(),
  session_id: z.string(),
  signed_in_at: z.int(),
});

export const anonymousPrincipal = z.strictObject({ kind: z.literal('anonymous') });

/**
 * Who is calling. The gateway signs this for one service (interface.md §4, "Behind the gateway"); services
 * accept nothing else.
 */
export const principal = reader(
  z.discriminatedUnion('kind', [partnerPrincipal, userPrincipal, anonymousPrincipal]),
);

/** `console`: only for requests from the console. It travels beside the principal. */
export type PartnerPrincipal = z.infer<typeof partnerPrincipal> & { readonly console?: ConsoleActor };
export type ConsoleActor = z.infer<typeof consoleActor>;
export type UserPrincipal = z.infer<typeof userPrincipal>;
export type Principal = PartnerPrincipal | UserPrincipal | z.infer<typeof anonymousPrincipal>;

/** A caller with credentials. */
export type Caller = PartnerPrincipal | UserPrincipal;
