import { operations, routesInOrder, scopes } from '@casewatch/contracts';
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
});
