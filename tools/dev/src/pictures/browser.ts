import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import axe from 'axe-core';
import { type Browser, chromium, type Page } from 'playwright-core';

export type { Browser, BrowserContext, Page } from 'playwright-core';

const names = ['chromium', 'chromium-headless-shell', 'chromium-browser', 'google-chrome'];

/** Path of an installed Chromium: CHROMIUM_BIN, or the first in PATH; null if there is none. */
export function findChromium(): string | null {
  const folders = (process.env.PATH ?? '').split(delimiter);
  const paths = [
    process.env.CHROMIUM_BIN ?? [],
    names.flatMap((name) => folders.map((dir) => join(dir, name))),
  ];
  return paths.flat().find(isExecutable) ?? null;
}

/** The sandbox of Chromium does not start for root, as in containers; the pages are ours. */
export async function launchChromium(executablePath: string): Promise<Browser> {
  return await chromium.launch({
    executablePath,
    args: ['--disable-lcd-text'],
    chromiumSandbox: process.getuid?.() !== 0,
  });
}

/** Rules that a page breaks (axe): of WCAG 2.2 AA and best practices. */
export async function accessibilityFaults(page: Page): Promise<string[]> {
  await page.evaluate(axe.source);
  const { violations } = await page.evaluate(() =>
    (globalThis as unknown as { axe: typeof axe }).axe.run({ resultTypes: ['violations'] }),
  );
  return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`));
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
