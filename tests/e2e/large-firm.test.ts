import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { type Profiled, perPage, profileFirm, tableOf } from '../../tools/dev/src/history/profile-firm.ts';
import { seedFirm } from '../../tools/dev/src/history/seed-firm.ts';
import { describeOwnSystem, type System, sharedSystem } from '../support/system.ts';

const cases = 20_000;
/** quality.md, G10 */
const mostDocs = 10 * perPage + 100;
/** A count goes on to 10,000; one of several words of a search is read for 5,000 keys at most, each of them for name and address. */
const mostCounted = 10_001;
const mostKeys = 10_002;

describeOwnSystem('a firm with many cases', () => {
  let system: System;
  let found: Profiled[] = [];
  const ofList = (list: string) => found.filter(({ path }) => path.startsWith(`/v1/client/${list}?`));

  beforeAll(async () => {
    system = await sharedSystem();
    const env = JSON.parse(readFileSync(join(system.dataDir, 'dev-env.json'), 'utf8'));
    const urlOf = (service: string): string => env[service].MONGODB_URL;
    const urls = { identityUrl: urlOf('identity'), casesUrl: urlOf('cases'), monitorUrl: urlOf('monitor') };
    const dev = system.dev();
    await seedFirm({ ...urls, partnerId: dev.partner.id, cases });
    found = await profileFirm({ ...urls, dev });
    if (process.env.SHOW_PROFILE) process.stderr.write(`${tableOf(found)}\n`);
  }, 600_000);

  it.each(['cases', 'changes', 'users'])(
    'reads little more of %s than it shows, for each filter in each order',
    (list) => {
      const dear = ofList(list).filter(
        ({ docs, keys, countedKeys }) => docs > mostDocs || keys > mostKeys || countedKeys > mostCounted,
      );
      expect(ofList(list).length).toBeGreaterThan(10);
      expect(dear).toEqual([]);
    },
  );

  it('finds something with nearly each of them, so that the figures are of pages', () => {
    const empty = found.filter(({ rows }) => rows === 0).map(({ path }) => path);
    expect(empty.filter((path) => !/nobody|suspended/.test(path))).toEqual([]);
    expect(ofList('cases').filter(({ rows }) => rows === perPage).length).toBeGreaterThan(60);
  });

  it('reads no document of a case for the overview, and no more keys than counts of lists do', () => {
    const overview = found.filter(({ path }) => /profile|statistics/.test(path));
    expect(overview.map(({ docs }) => docs)).toEqual([0, 0]);
    // Users, active and paused cases.
    for (const { countedKeys } of overview) expect(countedKeys).toBeLessThanOrEqual(3 * mostCounted);
  });
});

describe('the table of a run', () => {
  it('has the dearest first', () => {
    const row = { rows: 1, keys: 1, countedKeys: 0, ms: 1 };
    const table = tableOf([
      { path: '/cheap', docs: 1, ...row },
      { path: '/dear', docs: 2, ...row },
    ]);
    expect(table.indexOf('/dear')).toBeLessThan(table.indexOf('/cheap'));
  });
});
