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
  'staff',
  'settings',
  'audit',
] as const;

export const scope = z.enum(scopes).register(unknownValues, { leftOut: true });
export type Scope = z.infer<typeof scope>;

/** From the one that may do most to the one that may do least (firm.md §1). */
export const staffRoles = ['owner', 'editor', 'viewer'] as const;

export const staffRole = z.enum(staffRoles).register(unknownValues, { readAs: 'viewer' });
export type StaffRole = z.infer<typeof staffRole>;

/** What a member of each role may do, as the scopes of a key. A key makes no member who may do more than itself. */
export const scopesOfRole: Readonly<Record<StaffRole, readonly Scope[]>> = {
  owner: scopes,
  editor: ['users:read', 'users:write', 'cases:read', 'cases:write', 'check', 'profile:read'],
  viewer: ['users:read', 'cases:read', 'profile:read'],
};

/** Whether a role permits what needs at least another one. */
export function isWithinRole(role: StaffRole, least: StaffRole): boolean {
  return staffRoles.indexOf(role) <= staffRoles.indexOf(least);
}

/** A person who uses the console of a partner. `actor`: the name that the partner gave to the person. */
export const consoleActor = z.strictObject({ session_id: z.string(), actor: z.string() });

/**
 * A partner, as identity vouches for it: by an API key, or by a member of its staff who is signed in to the console. Of a member
 * `key_id` is empty, the role decides, and `scopes` are those of the role; `signed_in_at` is in seconds since 1970.
 */
export const partnerPrincipal = z.strictObject({
  kind: z.literal('partner'),
  partner_id: id,
  key_id: z.string(),
  scopes: z.array(scope),
  staff_id: id.optional(),
  role: staffRole.optional(),
  signed_in_at: z.int().optional(),
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
