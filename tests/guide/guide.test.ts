import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { createPartner } from '@casewatch/driver';
import { tempFolder } from '@casewatch/testing';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { addFormerKey } from '../../tools/dev/src/history/make-history.ts';
import { describeOwnSystem, type System, sharedLimitedSystem } from '../support/system.ts';
import { type Expected, readGuide, type Step } from './read-guide.ts';
import { runSteps } from './run-steps.ts';
import { differences, textDifferences } from './same-shape.ts';

const root = join(import.meta.dirname, '../..');
const folder = join(root, 'docs/partners');
const pages = readGuide(folder);
const setUp = pages[0]?.steps ?? [];

describeOwnSystem("the partner engineer's guide", () => {
  let system: System;
  let desk: Awaited<ReturnType<typeof tempFolder>>;
  beforeAll(async () => {
    // The guide speaks of the limits as they are, and calls as seldom as a reader does.
    system = await sharedLimitedSystem();
    // The README lets a reader make a history first.
    const dev = system.dev();
    await addFormerKey(createPartner(dev, dev.partner));
    // Where the reader sits: .data and the installed packages are at hand, as in the repository.
    desk = await tempFolder();
    await symlink(system.dataDir, join(desk.path, '.data'));
    await symlink(join(root, 'node_modules'), join(desk.path, 'node_modules'));
  });
  afterAll(async () => {
    await desk?.remove();
  });

  it('lists every page that there is', () => {
    expect(pages.map(({ file }) => file).sort()).toEqual(readdirSync(folder).sort());
  });

  it('links only to pages that exist', () => {
    const links = pages.flatMap(({ file }) =>
      // The target of a link to a page beside this one, without its anchor: `](file.md` or `](file.md#…`.
      [...readFileSync(join(folder, file), 'utf8').matchAll(/\]\((?!https:)([^)#]+)/g)].map(([, to]) =>
        String(to),
      ),
    );
    expect(links.length).toBeGreaterThan(0);
    expect(links.filter((to) => !existsSync(join(folder, to)))).toEqual([]);
  });

  it.each(pages)('$file runs from top to end, and prints what it shows', async ({ file, steps }) => {
    expect(steps.length).toBeGreaterThan(0);
    const before = file === 'README.md' ? [] : setUp;
    const printed = await runSteps(
      [...before, ...steps].map(({ command }) => command),
      desk.path,
    );
    const wrong = steps.flatMap((step, index) => faultsOf(step, printed[before.length + index] ?? ''));
    expect(wrong).toEqual([]);
  });
});

function faultsOf({ line, expected }: Step, printed: string): string[] {
  return expected ? compare(expected, printed).map((fault) => `line ${line}: ${fault}`) : [];
}

function compare({ kind, text }: Expected, printed: string): string[] {
  return kind === 'json'
    ? differences(JSON.parse(text), JSON.parse(printed))
    : textDifferences(text, printed);
}
