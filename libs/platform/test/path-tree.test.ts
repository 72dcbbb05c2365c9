import { describe, expect, it } from '@jest/globals';
import { createPathTree } from '../src/http/path-tree.ts';

describe('a tree of paths', () => {
  const tree = createPathTree<string>();
  for (const path of [
    '/v1/users/{user_id}',
    '/v1/users/me',
    '/v1/users/{user_id}/cases',
    '/v1/users/me/keys',
  ])
    tree.add(path, path);
  const found = (path: string) => tree.find(path)?.value ?? null;

  it('prefers a literal segment, and goes back where it leads nowhere', () => {
    expect(tree.find('/v1/users/me')).toEqual({ value: '/v1/users/me', params: {} });
    expect(tree.find('/v1/users/me/cases')).toEqual({
      value: '/v1/users/{user_id}/cases',
      params: { user_id: 'me' },
    });
    expect(tree.find('/v1/users/7')).toEqual({ value: '/v1/users/{user_id}', params: { user_id: '7' } });
  });

  it('decodes parameters, and refuses what is not encoded right', () => {
    expect(tree.find('/v1/users/a%2Fb')?.params).toEqual({ user_id: 'a/b' });
    expect(() => tree.find('/v1/users/%E0%A4%A')).toThrow(URIError);
  });

  it.each(['/', '/v1', '/v1/users', '/v1/users/', '/v1/users//cases', '/V1/users/7', '/v1/users/7/cases/8'])(
    'does not find %s',
    (path) => {
      expect(found(path)).toBeNull();
    },
  );

  it('ignores one slash at the end, as Express does', () => {
    expect(found('/v1/users/7/cases/')).toBe('/v1/users/{user_id}/cases');
    expect(found('/v1/users/7/cases//')).toBeNull();
  });
});
