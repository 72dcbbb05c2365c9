import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import axe from 'axe-core';
import { type Browser, chromium, type Page } from 'playwright-core';
import { CliError } from '../cli-error.ts';

export type { Browser, BrowserContext, Page } from 'playwright-core';

/** The one without a window first: it needs a fifth less CPU for the same pages. */
const names = ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome'];

/**
 * Path of an installed Chromium: CHROMIUM_BIN, or the first in PATH.
 * @throws CliError if there is none
 */
function findChromium(): string {
  const folders = (process.env.PATH ?? '').split(delimiter);
  const paths = [
    process.env.CHROMIUM_BIN ?? [],
    names.flatMap((name) => folders.map((dir) => join(dir, name))),
  ];
  const path = paths.flat().find(isExecutable);
  if (path === undefined)
    throw new CliError('Chromium is missing: install it, or set CHROMIUM_BIN to its path.');
  return path;
}

/** The sandbox of Chromium does not start for root, as in containers; the pages are ours. */
const chromiumSandbox = process.getuid?.() !== 0;
const args = ['--disable-lcd-text'];

export async function launchChromium(): Promise<Browser> {
  return await chromium.launch({ executablePath: findChromium(), args, chromiumSandbox });
}

/** What is checked: all rules, those of WCAG 2.2 AA without best practices for whole pages, or those about colours. */
const rulesOf = {
  // Off by default: WCAG 2.5.8, which 2.2 AA has.
  all: { rules: { 'target-size': { enabled: true } } },
  wcag: { runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'] },
  colours: { runOnly: ['color-contrast', 'link-in-text-block'] },
};

/** Each document of these pages has axe. Sending its 0.5 MB for each check would take longer than the check. */
const withAxe = new WeakSet<Page>();

/** Rules that a page breaks (axe). */
export async function accessibilityFaults(
  page: Page,
  rules: keyof typeof rulesOf = 'all',
): Promise<string[]> {
  if (!withAxe.has(page)) {
    await page.addInitScript(axe.source);
    await page.evaluate(axe.source);
    withAxe.add(page);
  }
  const options = { resultTypes: ['violations' as const], ...rulesOf[rules] };
  // The result has every rule; only what is broken leaves the page.
  return await page.evaluate(async (given) => {
    const { violations } = await (globalThis as unknown as { axe: typeof axe }).axe.run(given);
    return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`));
  }, options);
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
