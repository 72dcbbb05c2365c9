import { type ConfigError, readConfig } from '@casewatch/platform';
import { expect, it } from '@jest/globals';
import { identityConfig } from '../src/config.ts';

function faultsOf(env: Record<string, string>): string {
  try {
    readConfig(identityConfig, env);
    return '';
  } catch (error) {
    return (error as ConfigError).message;
  }
}

it('production takes no scale that switches the limits of codes and sign-ups off', () => {
  const fault = 'RATE_LIMIT_SCALE: must be at most 2 in production';
  expect(faultsOf({ RATE_LIMIT_SCALE: '100000' })).toContain(fault);
  expect(faultsOf({ NODE_ENV: 'development', RATE_LIMIT_SCALE: '100000' })).not.toContain('RATE_LIMIT_SCALE');
  expect(faultsOf({ RATE_LIMIT_SCALE: '2' })).not.toContain('RATE_LIMIT_SCALE');
});

it('production takes no shorter interval of the work on addresses: answer times would show who has an account', () => {
  const fault = 'ADDRESS_BATCH_MS: must be at least 500 in production';
  expect(faultsOf({ ADDRESS_BATCH_MS: '499' })).toContain(fault);
  expect(faultsOf({ NODE_ENV: 'development', ADDRESS_BATCH_MS: '50' })).not.toContain('ADDRESS_BATCH_MS');
  expect(faultsOf({ ADDRESS_BATCH_MS: '500' })).not.toContain('ADDRESS_BATCH_MS');
});
