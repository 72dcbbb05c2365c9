import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { language } from '@casewatch/contracts';
import { accessibilityFaults, type Browser, launchChromium, type Page } from '@casewatch/dev/browser';
import { answerPage } from '@casewatch/platform';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { mailSamples } from '../../tools/dev/src/pictures/mail-samples.ts';
import { pageSamples } from '../../tools/dev/src/pictures/page-samples.ts';

const samples = [...mailSamples, ...pageSamples];
/** The smallest phone of WCAG 1.4.10. */
const width = 320;

describe('mails and the pages that they lead to', () => {
  let browser: Browser | undefined;
  let server: Server;
  let shownHtml = '';

  beforeAll(async () => {
    browser = await launchChromium();
    server = createServer((_req, res) => {
      const { page, headers } = answerPage(shownHtml);
      res.writeHead(200, { ...headers, 'content-type': 'text/html; charset=utf-8' }).end(page);
    });
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  });
  afterAll(async () => {
    await browser?.close();
    server.close();
  });

  async function open(scheme: 'light' | 'dark'): Promise<Page> {
    if (!browser) throw new Error('no browser');
    return await browser.newPage({ colorScheme: scheme, viewport: { width, height: 640 } });
  }

  async function show(page: Page, html: string): Promise<void> {
    shownHtml = html;
    await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
  }

  it.each([
    ['light', 0],
    ['dark', 1],
  ] as const)(
    'every mail and page is accessible and fits a phone: %s',
    async (scheme, shift) => {
      const page = await open(scheme);
      const found: string[] = [];
      for (const [index, { name, html }] of samples.entries()) {
        // The check takes half a second: the languages of mails take turns.
        const checked = language.options[(index + shift) % language.options.length] ?? 'en';
        // Colours change no width.
        for (const shown of scheme === 'light' ? language.options : [checked]) {
          await show(page, html(shown));
          const contentWidth = await page.evaluate('document.documentElement.scrollWidth');
          if (Number(contentWidth) > width) found.push(`${name} (${shown}): ${contentWidth} px wide`);
          const isMail = name.startsWith('mail-');
          if (isMail && shown !== checked) continue;
          const rules = isMail ? 'wcag' : 'all';
          found.push(...(await accessibilityFaults(page, rules)).map((fault) => `${name}: ${fault}`));
        }
      }
      await page.close();
      expect(found).toEqual([]);
    },
    400_000,
  );

  it('the check finds a picture without text, a pale text and a wide table', async () => {
    const page = await open('light');
    const wide = '<img src="x.png"><p style="color:#ddd">pale</p><div style="width:500px">wide</div>';
    await show(page, `<!doctype html><html lang="en"><title>x</title><body>${wide}`);
    const rules = (await accessibilityFaults(page, 'wcag')).map((fault) => fault.split(':')[0]);
    expect(rules).toEqual(expect.arrayContaining(['image-alt', 'color-contrast']));
    expect(Number(await page.evaluate('document.documentElement.scrollWidth'))).toBeGreaterThan(width);
    await page.close();
  });
});
