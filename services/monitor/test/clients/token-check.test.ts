import { readConfig } from '@casewatch/platform';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { tokenCheck } from '../../src/clients/token-check.ts';
import { monitorConfig } from '../../src/config.ts';
import { startWorld, type World } from '../support/world.ts';

let world: World;
beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.stop());

const check = async (over: Record<string, string> = {}) => {
  const [found] = await tokenCheck.run(readConfig(monitorConfig, { ...world.environment(), ...over }));
  return `${found?.verdict}: ${found?.text}`;
};

it('says in one sentence whether USCIS gives a token', async () => {
  expect(await check()).toBe('ok: gives a token.');
  const id = 'a-secret-that-uscis-does-not-know-0123456789';
  expect(await check({ USCIS_CLIENT_SECRET: id })).toMatch(
    /^wrong: USCIS refuses USCIS_CLIENT_ID or USCIS_CLIENT_SECRET \(40[013]\)\.$/,
  );
  expect(await check({ USCIS_TOKEN_URL: 'http://127.0.0.1:1/oauth/accesstoken' })).toBe(
    'wrong: USCIS_TOKEN_URL: nobody listens at the address (ECONNREFUSED).',
  );
  const wrongPath = world.environment().USCIS_TOKEN_URL?.replace('/oauth/accesstoken', '/nothing') ?? '';
  expect(await check({ USCIS_TOKEN_URL: wrongPath })).toMatch(/^wrong: USCIS_TOKEN_URL answers 404/);
  await world.government.answerToken({ status: 200, body: '<html>Welcome</html>' });
  expect(await check()).toBe('wrong: USCIS_TOKEN_URL answers without a token: is it the address of tokens?');
});
