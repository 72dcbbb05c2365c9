import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { BrowserContext, Page } from '@casewatch/dev/browser';
import type { Mail } from '@casewatch/driver';

/** Where the pictures of a story are written; unset: nowhere. */
const folder = process.env.PICTURES;

/** The pictures of a story, numbered as they are taken: `npm run pictures:people` runs the stories with PICTURES. */
export function pictureStory(name: string) {
  let taken = 0;
  const write = async (page: Page, what: string) => {
    taken += 1;
    mkdirSync(String(folder), { recursive: true });
    const file = `${name}-${String(taken).padStart(2, '0')}-${what}.png`;
    writeFileSync(join(String(folder), file), await page.screenshot({ fullPage: true }));
  };
  return {
    async page(page: Page, what: string): Promise<void> {
      if (folder !== undefined) await write(page, what);
    },
    /** A mail as a phone shows it, in a tab of its own. */
    async mail(context: BrowserContext, { html }: Mail, what: string): Promise<void> {
      if (folder === undefined) return;
      const tab = await context.newPage();
      await tab.setContent(html);
      await write(tab, what);
      await tab.close();
    },
  };
}
