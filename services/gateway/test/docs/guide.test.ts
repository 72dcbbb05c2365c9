import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { markdownToHtml } from '../../src/docs/markdown.ts';
import { startTestGateway } from '../support/start-gateway.ts';

const folder = join(import.meta.dirname, '../../../../docs/partners');
const files = readdirSync(folder);
const paths = files.map((file) =>
  file === 'README.md' ? '/docs/guide' : `/docs/guide/${file.replace('.md', '')}`,
);

describe("the guide for partners' engineers", () => {
  let gateway: Awaited<ReturnType<typeof startTestGateway>>;
  beforeAll(async () => {
    gateway = await startTestGateway();
  });
  afterAll(async () => {
    await gateway.stop();
  });
  const read = async (path: string) => {
    const response = await fetch(gateway.url + path);
    return { status: response.status, text: await response.text() };
  };
  const mainOf = (text: string) => text.slice(text.indexOf('<main'), text.indexOf('</main>'));

  it.each(paths)('is served whole, without marks of Markdown: %s', async (path) => {
    const { status, text } = await read(path);
    expect(status).toBe(200);
    const outsideCode = mainOf(text).replaceAll(/<pre[\s\S]*?<\/pre>|<code>[^<]*<\/code>/g, '');
    expect(outsideCode).not.toMatch(/^#{1,4} |^\||^- |```|`|\]\(|\*\*/m);
    expect(text.match(/<h1/g)).toHaveLength(1);
    for (const tag of ['ul', 'ol', 'table', 'p', 'li', 'pre']) {
      const opened = text.match(new RegExp(`<${tag}[ >]`, 'g'))?.length ?? 0;
      expect({ tag, closed: text.split(`</${tag}>`).length - 1 }).toEqual({ tag, closed: opened });
    }
  });

  it('links only to places that there are', async () => {
    const pages = new Map(
      await Promise.all(paths.map(async (path) => [path, (await read(path)).text] as const)),
    );
    const links = [...pages].flatMap(([path, text]) =>
      [...mainOf(text).matchAll(/href="([^"]+)"/g)].map(([, to = '']) => ({ path, to })),
    );
    expect(links.length).toBeGreaterThan(20);
    const missing: object[] = [];
    for (const { path, to } of links) {
      if (to.startsWith('https://')) continue;
      const [page = '', anchor] = to.split('#');
      const text = pages.get(page === '' ? path : page);
      const isThere = text === undefined ? (await read(page)).status === 200 : true;
      const hasPlace = anchor === undefined || text === undefined || text.includes(` id="${anchor}"`);
      if (!isThere || !hasPlace) missing.push({ path, to });
    }
    expect(missing).toEqual([]);
  });

  it('is listed in the reference, whose search knows every word of it', async () => {
    const { text } = await read('/docs');
    expect(text).toContain('<a href="/docs/guide">Guide</a>');
    for (const [i, file] of files.entries()) {
      const link = new RegExp(`<a href="${paths[i]}" data-words="([^"]*)"`).exec(text);
      const markdown = readFileSync(join(folder, file), 'utf8').replaceAll(/^```[\s\S]*?^```$/gm, ' ');
      // As the script compares: the words that somebody types are parts of the text.
      const missing = (markdown.toLowerCase().match(/[\p{L}\p{N}_-]+/gu) ?? []).filter(
        (word) => !link?.[1]?.includes(word),
      );
      expect({ file, missing }).toEqual({ file, missing: [] });
    }
  });
});

describe('Markdown', () => {
  const same = (target: string) => target;
  it.each([
    ['# A `b`', '<h1 id="a-b">A <code>b</code></h1>'],
    ['1. [a](b.md)', '<ol>\n<li><a href="b.md">a</a></li>\n</ol>'],
    ['**a** *b* 2 * 3', '<p><strong>a</strong> <em>b</em> 2 * 3</p>'],
    ['`**a**`', '<p><code>**a**</code></p>'],
  ])('becomes HTML: %j', (markdown, html) => {
    expect(markdownToHtml(markdown, same).trim()).toBe(html);
  });

  it.each([
    '<script>alert(1)</script>',
    'a <img src=x onerror=alert(1)> b',
    '<div>\n\n**b**\n\n</div>',
    '<!-- x --><svg/onload=alert(1)>',
    '# <script>alert(1)</script>',
    '| <b>x</b> |\n|---|\n| <i onclick=alert(1)>y</i> |',
    '[<img src=x onerror=alert(1)>](b.md)',
    '[a](b.md"onclick="alert(1))',
    '[a](<x" onclick="alert(1)>)',
    '[a](javascript:alert(1))',
    '[a](&#106;avascript:alert(1))',
    '[a](JAVASCRIPT:alert(1) "t")',
    '[a](data:text/html,<script>alert(1)</script>)',
    '[a]: javascript:alert(1)\n\n[a]',
    '<javascript:alert(1)>',
    '![x" onerror="alert(1)](javascript:alert(1))',
    '```"><script>alert(1)</script>\n</code></pre><script>alert(1)</script>\n```',
    '`<script>alert(1)</script>`',
  ])('has no markup of its author: %j', (markdown) => {
    const html = markdownToHtml(markdown, same);
    const tags = html.match(/<[^>]*>/g) ?? [];
    expect(html.trim()).not.toBe('');
    const ours =
      /^<\/?(p|h1|strong|em|code|i|tbody|thead|tr|td|table)>$|^<h1 id="[\w-]*">$|^<th scope="(col|row)">$|^<\/(th|pre|div|a)>$|^<div class="scroll" role="group" aria-label="Table" tabindex="0">$|^<pre tabindex="0" role="group" aria-label="What they print">$|^<a href="(?!\w+:)[^"]*">$/;
    expect(tags.filter((tag) => !ours.test(tag))).toEqual([]);
  });

  it('becomes a table, with a bar in a cell, and one without a head', () => {
    const table = markdownToHtml('| a | b |\n|---|---|\n| `x\\|y` | 2 |', same);
    expect(table).toContain('<thead><tr><th scope="col">a</th><th scope="col">b</th></tr></thead>');
    expect(table).toContain('<tr><th scope="row"><code>x|y</code></th><td>2</td></tr>');
    expect(markdownToHtml('| | |\n|---|---|\n| a | b |', same)).not.toContain('thead');
  });

  it('keeps code as it is, and does not end it at a blank line', () => {
    const html = markdownToHtml('```sh\na\n\n# b | c\n```\nd', same);
    expect(html).toMatch(/<code>a\n\n# b \| c<\/code><\/pre>\n<p>d<\/p>\n$/);
  });
});
