import { language } from '@casewatch/contracts';
import { expect, it } from '@jest/globals';
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

it('the check of markup finds an id that is there twice, and an element that is not closed', async () => {
  const faults = await markupFaults(
    '<!doctype html><html lang="en"><head><title>x</title></head><body><h1 id="a">x</h1><p id="a"><b>y</p></body></html>',
  );
  const rules = faults.map((fault) => fault.split(':')[0]);
  expect(rules).toEqual(expect.arrayContaining(['no-dup-id', 'close-order']));
});
