import { describe, expect, it } from '@jest/globals';
import { withUscisLinks } from '../../src/pages/people/uscis-links.ts';

const hrefsIn = (text: string) =>
  [...withUscisLinks(text).html.matchAll(/href="([^"]*)"/g)].map(([, href]) => href);

describe('an address in the words of USCIS', () => {
  it.each([
    ['Si se muda, vaya a www.uscis.gov/es/cambiodireccion para', 'https://www.uscis.gov/es/cambiodireccion'],
    ['(uscis.gov/e-request).', 'https://uscis.gov/e-request'],
    [
      'Go to https://egov.uscis.gov/casestatus/mycase.do?a=1&b=2.',
      'https://egov.uscis.gov/casestatus/mycase.do?a=1&amp;b=2',
    ],
    ['at WWW.USCIS.GOV.', 'https://WWW.USCIS.GOV'],
    ['at www.uscis.gov/, then', 'https://www.uscis.gov/'],
  ])('is a link: %s', (text, href) => {
    expect(hrefsIn(text)).toEqual([href]);
  });

  it.each([
    'uscis.gov.evil.com/a',
    'evil-uscis.gov.example',
    'notuscis.gov/a',
    'нuscis.gov/a',
    'https://uscis.gov@evil.com/a',
    'https://me:uscis.gov@evil.com',
    'help@uscis.gov',
    'https://evil.com/uscis.gov',
    'https://evil.com/?to=//uscis.gov',
    'uscis.gov:81/a',
    'http://www.uscis.gov/a',
    'javascript://uscis.gov/a',
    'ftp://uscis.gov',
    'www.uscis.com',
  ])('is no link where it leads elsewhere, or not by https: %s', (text) => {
    expect(withUscisLinks(text).html).toBe(text);
  });

  it('breaks after a slash, and what is around it stays text', () => {
    expect(withUscisLinks('<b>"A"</b> www.uscis.gov/es/cambio <i>').html).toBe(
      '&lt;b&gt;&quot;A&quot;&lt;/b&gt; <a href="https://www.uscis.gov/es/cambio">www.uscis.gov/<wbr>es/<wbr>cambio</a> &lt;i&gt;',
    );
  });
});
