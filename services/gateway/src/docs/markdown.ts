import { escapeHtml } from '@casewatch/platform';
import { Marked, type Tokens } from 'marked';
import { codeBlock, idOf } from './html.ts';

/**
 * Markdown of the guide as HTML. HTML in it stands there as text, and a picture as its words: a page of the guide is words, code and links.
 * `linkOf` says where a link leads; another scheme than https leads nowhere.
 */
export function markdownToHtml(markdown: string, linkOf: (target: string) => string): string {
  const marked = new Marked({
    renderer: {
      html: ({ text }) => escapeHtml(text),
      image: ({ text }) => escapeHtml(text),
      heading({ depth, text, tokens }) {
        return `<h${depth} id="${idOf(plain(text))}">${this.parser.parseInline(tokens)}</h${depth}>\n`;
      },
      code: ({ text, lang }) =>
        `${codeBlock(text, lang === 'sh' || lang === 'console' ? 'Commands' : 'What they print')}\n`,
      link({ href, tokens }) {
        const text = this.parser.parseInline(tokens);
        // A scheme, which ends with a colon before any slash.
        const isElsewhere = /^[^/#?]*:/.test(href) && !href.startsWith('https://');
        return isElsewhere ? text : `<a href="${escapeHtml(linkOf(href))}">${text}</a>`;
      },
      table({ header, rows }) {
        const text = ({ tokens }: Tokens.TableCell) => this.parser.parseInline(tokens);
        // A first row without words is no heading.
        const head = header.map((cell) =>
          cell.text === '' ? '<td></td>' : `<th scope="col">${text(cell)}</th>`,
        );
        const hasHead = header.some((cell) => cell.text !== '');
        const body = rows.map((row) => {
          const cells = row.map((cell, i) =>
            i === 0 ? `<th scope="row">${text(cell)}</th>` : `<td>${text(cell)}</td>`,
          );
          return `<tr>${cells.join('')}</tr>`;
        });
        return `<div class="scroll" role="group" aria-label="Table" tabindex="0"><table>${hasHead ? `\n<thead><tr>${head.join('')}</tr></thead>` : ''}
<tbody>
${body.join('\n')}
</tbody>
</table></div>\n`;
      },
    },
  });
  return marked.parse(markdown, { async: false });
}

/** Without marks, as an anchor has it. */
function plain(title: string): string {
  return title.replaceAll(/[`*]/g, '').replaceAll(/[^\w -]/g, '');
}
