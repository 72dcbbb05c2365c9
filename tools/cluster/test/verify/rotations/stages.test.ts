import { describe, expect, it } from '@jest/globals';
import {
  changesBetween,
  type Deployed,
  joinJwks,
  settingsAtStep,
} from '../../../src/verify/rotations/stages.ts';

const jwks = (...kids: string[]) => JSON.stringify({ keys: kids.map((kid) => ({ kid })) });
const from: Deployed = {
  gateway: { PRINCIPAL_KEY: 'old' },
  cases: { CURSOR_KEY: 'old', PRINCIPAL_JWKS: jwks('old'), NATS_PASSWORD: 'old' },
};
const to: Deployed = {
  gateway: { PRINCIPAL_KEY: 'new' },
  cases: { CURSOR_KEY: 'new', PRINCIPAL_JWKS: jwks('new'), NATS_PASSWORD: 'new' },
};

describe('a rotation', () => {
  it('first lets everybody open what nobody makes yet', () => {
    expect(settingsAtStep({ from, to, step: 1 })).toEqual({
      gateway: { PRINCIPAL_KEY: 'old' },
      cases: { CURSOR_KEY: 'old new', PRINCIPAL_JWKS: jwks('old', 'new'), NATS_PASSWORD: 'old' },
    });
  });

  it('then makes everything new with the new secrets, and still opens what is old', () => {
    expect(settingsAtStep({ from, to, step: 2 })).toEqual({
      gateway: { PRINCIPAL_KEY: 'new' },
      cases: { CURSOR_KEY: 'new old', PRINCIPAL_JWKS: jwks('old', 'new'), NATS_PASSWORD: 'new' },
    });
  });

  it('ends with the new secrets alone, but for a ring whose former value is still needed', () => {
    expect(settingsAtStep({ from, to, step: 3 })).toEqual(to);
    expect(settingsAtStep({ from, to, step: 3, kept: ['CURSOR_KEY'] }).cases?.CURSOR_KEY).toBe('new old');
  });

  it('goes back from a ring that was kept without naming a value twice', () => {
    const now = { cases: { CURSOR_KEY: 'new old' } };
    const back = { cases: { CURSOR_KEY: 'old' } };
    const rings = ([1, 2, 3] as const).map(
      (step) => settingsAtStep({ from: now, to: back, step }).cases?.CURSOR_KEY,
    );
    expect(rings).toEqual(['new old', 'old new', 'old']);
  });

  it('touches only what differs', () => {
    const before = settingsAtStep({ from, to, step: 1 });
    expect(changesBetween(before, before)).toEqual({});
    expect(Object.keys(changesBetween(from, before))).toEqual(['cases']);
    expect(changesBetween(before, settingsAtStep({ from, to, step: 2 }))).toEqual({
      gateway: { PRINCIPAL_KEY: 'new' },
      cases: { CURSOR_KEY: 'new old', NATS_PASSWORD: 'new' },
    });
  });
});

it('joins key sets, each key once', () => {
  expect(joinJwks(jwks('a', 'b'), jwks('b', 'c'))).toBe(jwks('a', 'b', 'c'));
});
