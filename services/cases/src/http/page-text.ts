import type { Language } from '@casewatch/contracts';
import type { Page } from '@casewatch/platform';
import { LRUCache } from 'lru-cache';
import type { Context } from '../context.ts';
import { presentObserved, type TimeFormat, type View } from '../present/status-update.ts';
import type { ListedCase } from '../store/case-pages.ts';

/** Longest time that the text of an erased update stays in memory, ms. */
const ttl = 10 * 60_000;
/** Characters, about as many bytes. */
const maxSize = 32 * 1024 * 1024;

type ListPage = {
  rows: readonly ListedCase[];
  page: Page & { total?: number | null; total_is_exact?: boolean };
  /** The case without its latest update. */
  present(row: ListedCase): object;
  languageOf(row: ListedCase): Language;
};

/** Writes pages of a list as JSON. Keeps the texts of updates, which change only when USCIS touches them: a page of 50 is 65 kB of them. */
export function createPageText(ctx: Context, time: TimeFormat): (list: ListPage) => Promise<string> {
  const texts = new LRUCache<string, string>({ maxSize, ttl, sizeCalculation: (text) => text.length });

  async function readText(id: number, view: View, key: string): Promise<string | null> {
    const row = await ctx.stores.statusUpdates.find(id);
    if (row === null) return null;
    const text = JSON.stringify(presentObserved(id, row, view));
    texts.set(key, text);
    return text;
  }

  return async ({ rows, page, present, languageOf }) => {
    const now = ctx.clock.now();
    // The text of a day may name the latest day for an answer.
    const day = now.toISOString().slice(0, 10);
    const latest = await Promise.all(
      rows.map(({ latest_update }, i) => {
        if (!latest_update) return 'null';
        const language = languageOf(rows[i] as ListedCase);
        const touched = latest_update.touched_at?.getTime() ?? 0;
        const key = `${latest_update.id} ${touched} ${language} ${day}`;
        return texts.get(key) ?? readText(latest_update.id, { language, time, now }, key);
      }),
    );
    const cases = rows.flatMap((row, i) => {
      // The case was erased after the page was read.
      if (latest[i] === null) return [];
      return [`${JSON.stringify(present(row)).slice(0, -1)},"latest_update":${latest[i]}}`];
    });
    return `{"cases":[${cases.join(',')}],${JSON.stringify(page).slice(1)}`;
  };
}
