import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** What a block prints, as the page says. */
export type Expected = { kind: 'json' | 'text'; text: string };

/**
 * One ```sh block; `expected` is the very next block of the page where that is ```json or ```text. `isRun` is false where the fence says
 * that nobody runs it here: ```sh not run here
 */
export type Step = { line: number; command: string; isRun: boolean; expected: Expected | null };

export type Page = { file: string; steps: Step[] };

/** The guide's pages in the order in which its README lists them, the README first. */
export function readGuide(folder: string): Page[] {
  const entry = readFileSync(join(folder, 'README.md'), 'utf8');
  // A numbered line that is a link to a page beside this one: `1. [title](file.md)`.
  const listed = [...entry.matchAll(/^\d+\. \[[^\]]+\]\(([a-z-]+\.md)\)$/gm)].map(([, file]) => String(file));
  return ['README.md', ...listed].map((file) => ({
    file,
    steps: stepsOf(readFileSync(join(folder, file), 'utf8')),
  }));
}

/** Every runnable block of a page with what should come of it. */
export function stepsOf(markdown: string): Step[] {
  const blocks = blocksOf(markdown);
  return blocks.flatMap(({ language, mark, line, text }, index) => {
    if (mark !== '' && (language !== 'sh' || mark !== ' not run here'))
      throw new Error(`line ${line}: ${language}${mark} is not a fence of our pages`);
    return language === 'sh'
      ? [{ line, command: text, isRun: mark === '', expected: expectedOf(blocks[index + 1]) }]
      : [];
  });
}

type Block = { language: string; mark: string; line: number; text: string };

function expectedOf(next: Block | undefined): Expected | null {
  if (next?.language !== 'json' && next?.language !== 'text') return null;
  return { kind: next.language, text: next.text };
}

/** Fenced blocks: a line of three back-ticks, a language and perhaps a mark, up to a line of three back-ticks alone; of a list, without its indentation. */
function blocksOf(markdown: string): Block[] {
  const fence = /^( *)```([a-z]*)(.*)\n([\s\S]*?)^\1```$/gm;
  return [...markdown.matchAll(fence)].map(
    ({ 1: indent = '', 2: language = '', 3: mark = '', 4: text = '', index }) => ({
      language,
      mark,
      text: text.replaceAll(new RegExp(`^${indent}`, 'gm'), ''),
      line: markdown.slice(0, index).split('\n').length,
    }),
  );
}
