import {
  isWithinRole,
  type Operation,
  type OperationName,
  operations,
  routesInOrder,
  scopes,
  scopesOfRole,
  staffRoles,
} from '@casewatch/contracts';
import { describe, expect, it } from '@jest/globals';

describe('the operation table', () => {
  it('has every path parameter in its schema, and no other', () => {
    for (const row of routesInOrder()) {
      const inPath = [...row.path.matchAll(/\{([a-z_]+)\}/g)].map((match) => match[1]);
      expect({ name: row.name, params: Object.keys(row.params?.shape ?? {}) }).toEqual({
        name: row.name,
        params: inPath,
      });
    }
  });

  it('matches literal segments before parameters', () => {
    const paths = routesInOrder().map((row) => row.path);
    expect(paths.indexOf('/v1/users/verify-email')).toBeLessThan(paths.indexOf('/v1/users/{user_id}'));
    expect(paths.indexOf('/v1/client/users/resend-verification')).toBeLessThan(
      paths.indexOf('/v1/client/users/{user_id}'),
    );
  });

  it('asks for a scope wherever a partner is accepted', () => {
    for (const [name, row] of Object.entries(operations)) {
      if ((row.who as readonly string[]).includes('partner'))
        expect({ name, scope: scopes.find((scope) => scope === row.scope) }).toEqual({
          name,
          scope: row.scope,
        });
    }
  });

  /** Written by hand, so that a role that was mistyped in a row is found. What is missing is of owners. */
  const byRole: Readonly<Record<'viewer' | 'editor', readonly OperationName[]>> = {
    viewer: [
      'get_user',
      'list_users',
      'get_partner_user',
      'list_partner_users',
      'list_suppressions',
      'get_case',
      'list_cases',
      'get_partner_case',
      'list_partner_cases',
      'list_changes',
      'list_assignees',
      'list_acknowledgements',
      'get_profile',
      'get_statistics',
      // Of oneself; the handler says so.
      'export_staff_member',
      'get_staff_member',
      'update_staff_member',
    ],
    editor: [
      'create_user',
      'update_user',
      'create_partner_user',
      'update_partner_user',
      'delete_partner_user',
      'resend_verification',
      'resend_partner_verification',
      'create_partner_case',
      'update_partner_case',
      'delete_partner_case',
      'change_partner_cases',
      'review_changes',
      'create_import',
      'check_import',
      'list_imports',
      'get_import',
      'list_import_rows',
      'send_import_verifications',
      'cancel_import',
      'export_cases',
      'export_changes',
      'export_users',
      'export_refused_rows',
      'update_case',
      'check',
    ],
  };
  const ofPartners = (Object.entries(operations) as [OperationName, Operation][]).filter(([, { who }]) =>
    who.includes('partner'),
  );

  it('names the least role of a member wherever a partner is let in, and nowhere else', () => {
    for (const [name, row] of Object.entries(operations) as [OperationName, Operation][]) {
      const least = staffRoles.find((role) => role !== 'owner' && byRole[role].includes(name)) ?? 'owner';
      expect({ name, role: row.role }).toEqual({
        name,
        role: row.who.includes('partner') ? least : undefined,
      });
    }
  });

  it('lets no member do what a key with the scopes of the role cannot', () => {
    const differing = ofPartners.filter(([, { scope, role }]) =>
      staffRoles.some(
        (own) => isWithinRole(own, role ?? 'owner') !== scopesOfRole[own].includes(scope ?? 'keys'),
      ),
    );
    // A viewer reads the lists, and takes no files of them away. A key with the scope `staff` reads, changes and exports any member; a
    // member the own person.
    expect(differing.map(([name]) => name).sort()).toEqual([
      'export_cases',
      'export_changes',
      'export_staff_member',
      'export_users',
      'get_staff_member',
      'update_staff_member',
    ]);
  });

  // A change of a member is judged by its handler: the own alerts need none (identity's alerts.test.ts).
  it('asks for a recent sign-in where members, keys, settings, secrets, exports and deletions are concerned', () => {
    const sensitive = ofPartners.filter(([, { isSensitive }]) => isSensitive).map(([name]) => name);
    expect(sensitive.sort()).toEqual([
      'create_console_link',
      'create_key',
      'create_webhook',
      'delete_partner_case',
      'delete_partner_user',
      'delete_webhook',
      'export_cases',
      'export_changes',
      'export_refused_rows',
      'export_staff_member',
      'export_users',
      'invite_staff_member',
      'remove_staff_member',
      'reset_second_factor',
      'revoke_key',
      'rotate_key',
      'rotate_webhook_secret',
      'update_logo',
      'update_profile',
    ]);
  });
});
