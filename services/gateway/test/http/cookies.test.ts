import { expect, it } from '@jest/globals';
import type { Request, Response } from 'express';
import { createCookies } from '../../src/http/pages/cookies.ts';

it.each([
  ['https://api.example', '__Host-console=t; Max-Age=60; Path=/; HttpOnly; SameSite=Lax; Secure'],
  ['http://127.0.0.1:4000', 'console=t; Max-Age=60; Path=/; HttpOnly; SameSite=Lax'],
])('a cookie at %s is for this host alone', (publicUrl, expected) => {
  const set: string[] = [];
  const res = { append: (_name: string, value: string) => set.push(value) } as unknown as Response;
  createCookies(publicUrl).set(res, 'console', { value: 't', maxAgeS: 60 });
  expect(set).toEqual([expected]);
});

it('reads its own cookie alone', () => {
  const req = { get: () => 'xconsole=1; console=2=3; console-x=4' } as unknown as Request;
  const cookies = createCookies('http://127.0.0.1:4000');
  expect(cookies.read(req, 'console')).toBe('2=3');
  expect(cookies.read(req, 'other')).toBeNull();
});
