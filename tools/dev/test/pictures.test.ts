import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { language } from '@casewatch/contracts';
import { expect, it } from '@jest/globals';
import * as addressPages from '../../../services/identity/src/http/pages/address-pages.ts';
import * as alertsOffPages from '../../../services/notifier/src/http/pages/alerts-off-page.ts';
import * as unsubscribePages from '../../../services/notifier/src/http/pages/unsubscribe-page.ts';
import { mailSamples } from '../src/pictures/mail-samples.ts';
import { markupFaults } from '../src/pictures/markup.ts';
import { pageSamples } from '../src/pictures/page-samples.ts';

it.each([...mailSamples, ...pageSamples])(
  '$name has no script and loads nothing from elsewhere',
  ({ html }) => {
    for (const shown of language.options) expect(html(shown)).not.toMatch(/<script|<img|<link|@import|url\(/);
  },
);

it('every page of a link is valid HTML in each language', async () => {
  const found = await Promise.all(
    pageSamples.flatMap(({ name, html }) =>
      language.options.map(async (shown) =>
        (await markupFaults(html(shown))).map((fault) => `${name} (${shown}): ${fault}`),
      ),
    ),
  );
  expect(found.flat()).toEqual([]);
});

it.each(pageSamples)('$name leads on, in each language', ({ html }) => {
  for (const shown of language.options)
    expect(html(shown)).toMatch(/<form method="post"|<a href="[^"]+">[^<]+</);
});

it('every page of a link is among the samples', () => {
  const pages = { ...addressPages, ...alertsOffPages, ...unsubscribePages };
  const names = Object.keys(pages).filter((name) => name.endsWith('Page') && name !== 'orRefusalPage');
  expect(names.length).toBeGreaterThan(15);
  const samples = readFileSync(join(import.meta.dirname, '../src/pictures/page-samples.ts'), 'utf8');
  // Imported and shown.
  expect(names.filter((name) => samples.split(new RegExp(`\\b${name}\\b`)).length < 3)).toEqual([]);
});

it('the check of markup finds an id that is there twice, and an element that is not closed', async () => {
  const faults = await markupFaults(
    '<!doctype html><html lang="en"><head><title>x</title></head><body><h1 id="a">x</h1><p id="a"><b>y</p></body></html>',
  );
  const rules = faults.map((fault) => fault.split(':')[0]);
  expect(rules).toEqual(expect.arrayContaining(['no-dup-id', 'close-order']));
});
