import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { describe, expect, it } from '@jest/globals';

const service = new URL('../src/service.ts', import.meta.url).href;

/** The CommonJS packages that a process has loaded after it has loaded the gateway. */
async function packagesOfGateway(): Promise<string[]> {
  const program = `
    await import(${JSON.stringify(service)});
    const { createRequire } = await import('node:module');
    process.stdout.write(Object.keys(createRequire(${JSON.stringify(service)}).cache).join('\\n'));`;
  const args = ['--disable-warning=ExperimentalWarning', '--input-type=module', '--eval', program];
  const { stdout } = await promisify(execFile)(process.execPath, args);
  const names = stdout.split('\n').map((path) => path.split('/node_modules/').at(-1)?.split('/')[0] ?? path);
  return [...new Set(names)];
}

describe('The gateway', () => {
  it('loads express, and neither mongoose nor the driver of MongoDB', async () => {
    const packages = await packagesOfGateway();
    expect(packages).toContain('express');
    expect(packages.filter((name) => /^(mongoose|mongodb|bson)$/.test(name))).toEqual([]);
  });
});
