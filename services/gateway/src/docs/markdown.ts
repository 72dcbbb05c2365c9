import { escapeHtml } from '@casewatch/platform';
import { codeBlock, idOf } from './html.ts';

/**
 * The Markdown of our own guide as HTML: headings, paragraphs, lists of one level, tables, fenced code, links, code and strong words. What
 * it does not know stands there as text. `linkOf` says where a link leads.
 */
export function markdownToHtml(markdown: string, linkOf: (target: string) => string): string {
  const lines = markdown.replaceAll('\r\n', '\n').split('\n');
  const text = (part: string) => inlineOf(part, linkOf);
  const out: string[] = [];
  /** Takes the lines from the first on that belong together. */
  const take = (belongs: (line: string) => boolean): string[] => {
    const end = lines.findIndex((line) => !belongs(line));
    return lines.splice(0, end === -1 ? lines.length : end);
  };
  for (let line = lines[0]; line !== undefined; line = lines[0]) {
    const heading = /^(#{1,4}) (.+)$/.exec(line);
    if (line.trim() === '') lines.shift();
    else if (heading) {
      lines.shift();
      const [, marks = '', title = ''] = heading;
      out.push(`<h${marks.length} id="${idOf(plain(title))}">${text(title)}</h${marks.length}>`);
    } else if (line.startsWith('```')) {
      lines.shift();
      const code = take((next) => next !== '```').join('\n');
      lines.shift();
      out.push(codeBlock(code, line === '```sh' || line === '```console' ? 'Commands' : 'What they print'));
    } else if (line.startsWith('|'))
      out.push(
        tableOf(
          take((next) => next.startsWith('|')),
          text,
        ),
      );
    else if (bullet.test(line)) out.push(listOf('ul', take(isItem), text));
    else if (/^\d+\. /.test(line)) out.push(listOf('ol', take(isItem), text));
    else out.push(`<p>${text(take((next) => next.trim() !== '' && !startsBlock.test(next)).join(' '))}</p>`);
  }
  return out.join('\n');
}

const bullet = /^- /;
// A heading, fenced code, a table, or a list.
const startsBlock = /^(#{1,4} |```|\||- |\d+\. )/;

/** An item, or a line that continues one. */
function isItem(line: string): boolean {
  return bullet.test(line) || /^\d+\. /.test(line) || /^\s+\S/.test(line);
}

function listOf(tag: 'ul' | 'ol', lines: readonly string[], text: (part: string) => string): string {
  const items: string[] = [];
  for (const line of lines) {
    const item = /^(?:- |\d+\. )(.*)$/.exec(line);
    if (item) items.push(item[1] ?? '');
    else items.push(`${items.pop() ?? ''} ${line.trim()}`);
  }
  return `<${tag}>\n${items.map((item) => `<li>${text(item)}</li>`).join('\n')}\n</${tag}>`;
}

function tableOf(lines: readonly string[], text: (part: string) => string): string {
  const [head = [], , ...rows] = lines.map(cellsOf);
  // A first row without words is no heading.
  const headRow = head
    .map((cell) => (cell === '' ? '<td></td>' : `<th scope="col">${text(cell)}</th>`))
    .join('');
  const hasHead = head.some((cell) => cell !== '');
  const body = rows.map(
    ([first = '', ...others]) =>
      `<tr><th scope="row">${text(first)}</th>${others.map((cell) => `<td>${text(cell)}</td>`).join('')}</tr>`,
  );
  return `<div class="scroll"><table>${hasHead ? `\n<thead><tr>${headRow}</tr></thead>` : ''}
<tbody>
${body.join('\n')}
</tbody>
</table></div>`;
}

/** `\|` is a bar in a cell. */
function cellsOf(line: string): string[] {
  const cells = line.split(/(?<!\\)\|/).slice(1, -1);
  return cells.map((cell) => cell.trim().replaceAll('\\|', '|'));
}

function inlineOf(part: string, linkOf: (target: string) => string): string {
  // Code, a link, strong or emphasized words; what stands between is text.
  const token = /(`[^`]+`|\[[^\]]+\]\([^)]+\)|\*\*[^*]+\*\*|\*[^*\s][^*]*\*)/;
  return part
    .split(token)
    .map((piece, index) => {
      if (index % 2 === 0) return escapeHtml(piece);
      if (piece.startsWith('`')) return `<code>${escapeHtml(piece.slice(1, -1))}</code>`;
      const link = /^\[([^\]]+)\]\(([^)]+)\)$/.exec(piece);
      if (link)
        return `<a href="${escapeHtml(linkOf(link[2] ?? ''))}">${inlineOf(link[1] ?? '', linkOf)}</a>`;
      const [tag, width] = piece.startsWith('**') ? ['strong', 2] : ['em', 1];
      return `<${tag}>${inlineOf(piece.slice(Number(width), -Number(width)), linkOf)}</${tag}>`;
    })
    .join('');
}

/** Without marks, as an anchor has it. */
function plain(title: string): string {
  return title.replaceAll(/[`*]/g, '').replaceAll(/[^\w -]/g, '');
}
