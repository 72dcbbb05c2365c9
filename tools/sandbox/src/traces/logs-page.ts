import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Response } from 'express';
import { html, type Markup } from '../http/html.ts';
import { sendPage } from '../http/page.ts';

const shownLines = 300;

type Line = { time: string; service: string; level: string; msg: string; text: string };

/** Log lines of the services that contain `query`, in time order: a trace id, a request id, a word. */
export async function sendLogs(res: Response, folder: string | undefined, query = ''): Promise<void> {
  const found = folder === undefined || query === '' ? [] : await findLines(folder, query);
  const lines = found.toSorted((a, b) => a.time.localeCompare(b.time)).slice(-shownLines);
  sendPage(res, {
    title: 'Logs',
    intro: folder === undefined ? 'This process has no folder of logs.' : `Search in ${folder}.`,
    live: false,
    main: html`<form class="card"><label>Contains <input name="q" value="${query}"></label> <button>Find</button> <a href="/">Traces</a></form>
${lines.length === 0 ? html`<p class="soft">No lines.</p>` : html`<table>${lines.map(lineRow)}</table>`}`,
  });
}

async function findLines(folder: string, query: string): Promise<Line[]> {
  const files = (await readdir(folder)).filter((name) => name.endsWith('.log'));
  const texts = await Promise.all(files.map((name) => readFile(join(folder, name), 'utf8')));
  return texts.flatMap((text) =>
    text.split('\n').flatMap((line) => (line.includes(query) ? parse(line) : [])),
  );
}

/** Lines of servers that are not JSON are left out. */
function parse(text: string): Line[] {
  if (!text.startsWith('{"level"')) return [];
  const { time, service, level, msg } = JSON.parse(text) as Record<string, unknown>;
  return [{ time: String(time), service: String(service), level: String(level), msg: String(msg), text }];
}

function lineRow({ time, service, level, msg, text }: Line): Markup {
  const isBad = level === 'warn' || level === 'error' || level === 'fatal';
  return html`<tr><td>${time.slice(11, 23)}</td><td>${service}</td><td class="${isBad ? 'bad' : 'soft'}">${level}</td>
<td><details><summary>${msg}</summary><pre>${text}</pre></details></td></tr>`;
}
