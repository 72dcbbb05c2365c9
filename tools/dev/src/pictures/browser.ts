import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { type Browser, chromium } from 'playwright-core';

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

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
