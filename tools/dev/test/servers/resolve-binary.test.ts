import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type TempFolder, tempFolder } from '@casewatch/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { PINS, resolveBinary, ServerUnavailable } from '../../src/servers/index.ts';

/** Small programs stand in for the servers: what is tried here is where they are looked for. */
describe('resolveBinary', () => {
  let folder: TempFolder;
  const path = (name: string): string => join(folder.path, name);

  beforeAll(async () => {
    folder = await tempFolder();
    await program('named/mongod', 'db version v7.0.1');
    await program('old/mongod', 'db version v5.0.9');
    await program('new/mongod', 'db version v8.0.4');
    await program('new/nats-server', 'nats-server: v2.12.3');
    const version = PINS.mongod.wheels[`${process.platform}-${process.arch}`]?.serverVersion;
    await program(`cache/servers/mongod-${version}-${process.platform}-${process.arch}/mongod`, '');
  });
  afterAll(() => folder.remove());

  async function program(name: string, says: string): Promise<void> {
    await mkdir(join(path(name), '..'), { recursive: true });
    await writeFile(path(name), `#!/bin/sh\necho '${says}'\n`);
    await chmod(path(name), 0o755);
  }

  it('takes the binary named in the environment before any other', async () => {
    const env = { MONGOD_BIN: path('named/mongod'), PATH: path('new') };
    const binary = { path: path('named/mongod'), version: '7.0.1', source: 'MONGOD_BIN' };
    expect(await resolveBinary('mongod', { env })).toEqual(binary);
  });

  it('ends the search when the binary named in the environment does not fit', async () => {
    const env = { MONGOD_BIN: path('old/mongod'), PATH: path('new') };
    await expect(resolveBinary('mongod', { env })).rejects.toThrow(
      `MONGOD_BIN  ${path('old/mongod')} is 5.0.9, needed is 6.0.0`,
    );
  });

  it('passes over what is too old on PATH', async () => {
    const env = { PATH: `${path('old')}:${path('new')}` };
    expect(await resolveBinary('mongod', { env })).toMatchObject({ version: '8.0.4', source: 'PATH' });
    expect(await resolveBinary('nats-server', { env })).toMatchObject({ version: '2.12.3', source: 'PATH' });
  });

  it('takes the downloaded one if PATH has none', async () => {
    const env = { PATH: path('old'), CASEWATCH_CACHE: path('cache') };
    expect(await resolveBinary('mongod', { env })).toMatchObject({ source: 'cache' });
  });

  it('lists what was tried and the ways out, with an exit code of its own', async () => {
    const env = { PATH: path('old'), CASEWATCH_CACHE: path('empty') };
    const failure: unknown = await resolveBinary('mongod', { env, download: false }).catch(
      (err: unknown) => err,
    );
    expect(failure).toBeInstanceOf(ServerUnavailable);
    expect(failure).toMatchObject({ exitCode: 3 });
    const { message } = failure as ServerUnavailable;
    expect(message).toContain('tried  MONGOD_BIN      not set');
    expect(message).toContain(`tried  mongod on PATH  ${path('old/mongod')} is 5.0.9, needed is 6.0.0`);
    expect(message).toContain('MONGODB_URL=mongodb://');
  });
});
