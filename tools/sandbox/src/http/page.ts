import type { Response } from 'express';
import { html, type Markup } from './html.ts';

/** A `live` page reloads its content every two seconds. */
type Page = { title: string; intro: string; main: Markup; live: boolean };

/** Sends a page that fetches nothing from outside. */
export function sendPage(res: Response, page: Page): void {
  res.set({
    'Content-Security-Policy':
      "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; connect-src 'self'; img-src data:; frame-src 'self'; base-uri 'none'; form-action 'self'",
    'Cache-Control': 'no-store',
    'X-Content-Type-Options': 'nosniff',
  });
  res.type('html').send(document(page).markup);
}

function document({ title, intro, main, live }: Page): Markup {
  return html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} · Casewatch sandbox</title><style>${STYLE}</style></head>
<body><header><h1>${title}</h1><p>${intro}</p></header><main>${main}</main>
<footer>A stand-in for development and tests: nothing here leaves this machine.</footer>
${live ? SCRIPT : null}</body></html>`;
}

const STYLE: Markup = {
  markup: `:root{color-scheme:light dark;--ink:light-dark(#1c2330,#e7eaf0);--soft:light-dark(#5c6677,#a3adbd);--line:light-dark(#e1e5ec,#323a48);--card:light-dark(#fff,#1d232e);--back:light-dark(#f4f6f9,#141922);--accent:light-dark(#1d5fbf,#8db8ff);--good:light-dark(#17713c,#6fd698);--bad:light-dark(#b3261e,#ff9d96)}
*{box-sizing:border-box}body{margin:0 auto;padding:2rem 1.25rem;max-width:70rem;font:15px/1.5 system-ui,sans-serif;color:var(--ink);background:var(--back)}
h1{margin:0;font-size:1.5rem}h2{margin:2rem 0 .5rem;font-size:1.05rem}header p,footer,.soft{color:var(--soft)}header p{margin:.25rem 0 1.5rem}footer{margin-top:2.5rem;font-size:.85rem}
table{width:100%;border-collapse:collapse;background:var(--card);border:1px solid var(--line);border-radius:.5rem;overflow:hidden}th,td{padding:.5rem .75rem;text-align:left;vertical-align:top;border-bottom:1px solid var(--line)}th{font-size:.8rem;color:var(--soft);font-weight:600}tr:last-child td{border-bottom:0}
code,pre{font:13px/1.45 ui-monospace,monospace}pre{margin:.5rem 0 0;white-space:pre-wrap;overflow-wrap:anywhere}a{color:var(--accent)}.good{color:var(--good)}.bad{color:var(--bad)}
.card{background:var(--card);border:1px solid var(--line);border-radius:.75rem;padding:1rem 1.25rem;margin:0 0 .75rem}.card p{margin:.25rem 0}.bubble{max-width:38rem;border-bottom-left-radius:.15rem}
button{font:inherit;font-size:.85rem;padding:.15rem .6rem;border:1px solid var(--line);border-radius:.4rem;background:transparent;color:var(--accent);cursor:pointer}iframe{width:100%;height:36rem;border:1px solid var(--line);border-radius:.5rem;background:#fff}
@media(max-width:40rem){.stack tr{display:block;padding:.5rem 0;border-bottom:1px solid var(--line)}.stack th{display:none}.stack td{display:block;border:0;padding:.1rem .75rem;overflow-wrap:anywhere}}`,
};

/** Replaces the content only if it changed, so that an opened detail stays open. */
const SCRIPT: Markup = {
  markup: `<script>
let shown = document.querySelector('main').innerHTML;
async function refresh() {
  const text = await (await fetch(location.href)).text();
  const next = new DOMParser().parseFromString(text, 'text/html').querySelector('main').innerHTML;
  if (shown !== next) document.querySelector('main').innerHTML = next;
  shown = next;
}
setInterval(() => refresh().catch(console.warn), 2000);
document.addEventListener('click', async (event) => {
  const target = event.target.closest('[data-post]');
  if (target) { await fetch(target.dataset.post, { method: 'POST' }); await refresh(); }
});
refresh().catch(console.warn);
</script>`,
};
