import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ConfigError, integerSetting, readConfig, secretSetting } from '@casewatch/platform';
import { describe, expect, it } from '@jest/globals';
import { z } from 'zod';

const schema = z.object({
  PORT: integerSetting(0, 65_535),
  SECRET_PEPPER: secretSetting,
  APP_URL: z.string().default('none'),
});
const secret = 'x'.repeat(32);

describe('reading settings', () => {
  it('names every fault together, without a value', () => {
    const read = () => readConfig(schema, { PORT: 'eighty', SECRET_PEPPER: 'too-short-to-be-one' });
    expect(read).toThrow(ConfigError);
    expect(read).toThrow(/PORT: must be a whole number[\s\S]*SECRET_PEPPER: must have at least 32/);
    expect(read).not.toThrow(/too-short-to-be-one/);
  });

  it('takes a secret from a file, without its last line break', () => {
    const file = join(mkdtempSync(join(tmpdir(), 'config-')), 'pepper');
    writeFileSync(file, `${secret}\n`);
    expect(readConfig(schema, { PORT: '80', SECRET_PEPPER_FILE: file }).SECRET_PEPPER).toBe(secret);
  });

  it('refuses a setting that is given twice', () => {
    const read = () =>
      readConfig(schema, { PORT: '80', SECRET_PEPPER: secret, SECRET_PEPPER_FILE: '/nowhere' });
    expect(read).toThrow(/not both/);
  });

  it('takes an empty value for not set', () => {
    expect(readConfig(schema, { PORT: '80', SECRET_PEPPER: secret, APP_URL: '' }).APP_URL).toBe('none');
  });
});
