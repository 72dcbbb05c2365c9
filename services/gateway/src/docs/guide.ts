import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { escapeHtml } from '@casewatch/platform';
import { layout } from './layout.ts';
import { markdownToHtml } from './markdown.ts';

const folder = join(import.meta.dirname, '../../../../docs/partners');

/** `path`: where it is served. `file`: in docs/partners. */
export type GuidePage = {
  readonly path: string;
  readonly file: string;
  readonly title: string;
  readonly markdown: string;
};

let read: readonly GuidePage[] | undefined;

/** The guide for partners' engineers, in the order in which its README lists the pages, the README first. */
export function guidePages(): readonly GuidePage[] {
  read ??= readGuide();
  return read;
}

function readGuide(): GuidePage[] {
  const readme = readFileSync(join(folder, 'README.md'), 'utf8');
  // A numbered line that is a link to a page beside this one: `1. [title](file.md)`.
  const listed = [...readme.matchAll(/^\d+\. \[[^\]]+\]\(([a-z-]+\.md)\)$/gm)].map(([, file]) =>
    String(file),
  );
  const files = new Set(readdirSync(folder));
  return ['README.md', ...listed.filter((file) => files.has(file))].map((file) => {
    const markdown = readFileSync(join(folder, file), 'utf8');
    return { path: pathOf(file), file, title: /^# (.+)$/m.exec(markdown)?.[1] ?? file, markdown };
  });
}

/** `webhooks.md` is `/docs/guide/webhooks`, the README is `/docs/guide`. */
function pathOf(file: string): string {
  return file === 'README.md' ? '/docs/guide' : `/docs/guide/${file.replace(/\.md$/, '')}`;
}

export function guidePage(page: GuidePage): string {
  const pages = guidePages();
  const next = pages[pages.indexOf(page) + 1];
  const list = pages.map(({ path, title }) => {
    const mark = path === page.path ? ' aria-current="page" class="here"' : '';
    return `<li><a href="${path}"${mark}>${escapeHtml(title)}</a></li>`;
  });
  return layout({
    title: `${page.title} – Casewatch`,
    description: `${page.title}: guide for partners' engineers.`,
    aside: `<nav class="toc" aria-label="Guide">
<details open>
<summary>Guide</summary>
<section><p>Guide</p>
<ul>
${list.join('\n')}
</ul></section>
<section><p>More</p>
<ul><li><a href="/docs">API reference, with search over both</a></li></ul></section>
</details>
</nav>`,
    main: `<div class="guide">
${markdownToHtml(page.markdown, linkOf)}
${next ? `<p class="next">Next: <a href="${next.path}">${escapeHtml(next.title)}</a></p>` : ''}
</div>`,
    isGuide: true,
  });
}

/** Pages of the guide link to each other by file; what else they link to is elsewhere, or in the repository. */
function linkOf(target: string): string {
  const [file = '', anchor] = target.split('#');
  const hash = anchor === undefined ? '' : `#${anchor}`;
  if (file === '') return hash;
  return /^[a-z-]+\.md$/i.test(file) ? `${pathOf(file)}${hash}` : target;
}

/**
 * The words of a page for the search of the reference, each once; one that is a part of another is found in it. Programs are left out: the
 * reference has samples of its own.
 */
export function wordsOf({ markdown }: GuidePage): string {
  const prose = markdown.replaceAll(/^```[\s\S]*?^```$/gm, ' ').toLowerCase();
  const words = new Set(prose.match(/[\p{L}\p{N}_-]+/gu) ?? []);
  const longestFirst = [...words].sort((a, b) => b.length - a.length);
  let found = '';
  for (const word of longestFirst) if (!found.includes(word)) found += ` ${word}`;
  // In this order they compress best.
  return found.slice(1).split(' ').sort().join(' ');
}
