import { readdir } from 'node:fs/promises';
import { type TempFolder, tempFolder } from '@casewatch/testing';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { addToCache, findCached } from '../../src/servers/cache.ts';

const nats = Buffer.from("#!/bin/sh\necho 'nats-server: v2.15.1'\n");

describe('the cache of servers', () => {
  let folder: TempFolder;

  beforeEach(async () => {
    folder = await tempFolder();
  });
  afterEach(() => folder.remove());

  it('takes two starts at the same time', async () => {
    const add = () => addToCache(folder.path, 'nats-server', '2.15.1', nats);
    const [first, second] = await Promise.all([add(), add()]);
    expect(second).toBe(first);
    expect(await findCached(folder.path, 'nats-server', '2.15.1')).toBe(first);
    expect(await readdir(folder.path)).toHaveLength(1);
  });

  it('keeps nothing that says it is another version', async () => {
    const adding = addToCache(folder.path, 'nats-server', '2.15.0', nats);
    await expect(adding).rejects.toThrow('nats-server says it is 2.15.1, expected 2.15.0');
    expect(await readdir(folder.path)).toEqual([]);
  });
});
