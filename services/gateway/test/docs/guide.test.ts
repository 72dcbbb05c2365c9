import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { markdownToHtml } from '../../src/docs/markdown.ts';
import { startTestGateway } from '../support/start-gateway.ts';

const files = readdirSync(join(import.meta.dirname, '../../../../docs/partners'));
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

  it('is listed and searched in the reference', async () => {
    const { text } = await read('/docs');
    for (const path of paths) expect(text).toContain(`<a href="${path}" data-words="`);
    const webhooks = /href="\/docs\/guide\/webhooks" data-words="([^"]*)"/.exec(text)?.[1]?.split(' ');
    expect(webhooks).toEqual(expect.arrayContaining(['standardwebhooks', 'webhook-signature', 'rotate']));
    expect(text).toContain('<a href="/docs/guide">Guide</a>');
  });
});

describe('Markdown', () => {
  const same = (target: string) => target;
  it.each([
    ['# A `b`', '<h1 id="a-b">A <code>b</code></h1>'],
    ['a\nb', '<p>a b</p>'],
    ['- a\n  b\n- c', '<ul>\n<li>a b</li>\n<li>c</li>\n</ul>'],
    ['1. [a](b.md)', '<ol>\n<li><a href="b.md">a</a></li>\n</ol>'],
    ['**a** *b* 2 * 3', '<p><strong>a</strong> <em>b</em> 2 * 3</p>'],
    ['<script>&"', '<p>&lt;script&gt;&amp;&quot;</p>'],
    ['[a](x"y)', '<p><a href="x&quot;y">a</a></p>'],
    ['`**a**`', '<p><code>**a**</code></p>'],
  ])('becomes HTML: %j', (markdown, html) => {
    expect(markdownToHtml(markdown, same)).toBe(html);
  });

  it('becomes a table, with a bar in a cell, and one without a head', () => {
    const table = markdownToHtml('| a | b |\n|---|---|\n| `x\\|y` | 2 |', same);
    expect(table).toContain('<thead><tr><th scope="col">a</th><th scope="col">b</th></tr></thead>');
    expect(table).toContain('<tr><th scope="row"><code>x|y</code></th><td>2</td></tr>');
    expect(markdownToHtml('| | |\n|---|---|\n| a | b |', same)).not.toContain('thead');
  });

  it('keeps code as it is, and does not end it at a blank line', () => {
    const html = markdownToHtml('```sh\na\n\n# b | c\n```\nd', same);
    expect(html).toMatch(/<code>a\n\n# b \| c<\/code><\/pre>\n<p>d<\/p>$/);
  });
});
