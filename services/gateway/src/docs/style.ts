/** The one style sheet of all pages: light and dark as the reader's system has it; no fonts or images from elsewhere. */
export const style = `
:root { color-scheme: light dark; --text: #1c2430; --soft: #5a6676; --line: #d9dfe6; --ground: #fff; --raised: #f5f7f9; --link: #1d5a9e;
  --get: #1d5a9e; --post: #23713a; --put: #8a5a00; --delete: #b0282e; }
@media (prefers-color-scheme: dark) {
  :root { --text: #e4e8ee; --soft: #a3adba; --line: #333c48; --ground: #14181e; --raised: #1c222a; --link: #86b8ee;
    --get: #86b8ee; --post: #7fcf97; --put: #e3b45c; --delete: #f29a9e; }
}
* { box-sizing: border-box; }
html { scroll-padding-top: 1rem; }
body { margin: 0; background: var(--ground); color: var(--text); font: 1rem/1.55 system-ui, sans-serif; }
a { color: var(--link); }
a:focus-visible, summary:focus-visible, pre:focus-visible { outline: 3px solid var(--link); outline-offset: 2px; }
.skip { position: absolute; left: -999rem; }
.skip:focus { left: 1rem; top: .5rem; background: var(--ground); padding: .5rem; z-index: 1; }
header { display: flex; flex-wrap: wrap; gap: .5rem 2rem; align-items: baseline; padding: 1rem 1.5rem; border-bottom: 1px solid var(--line); }
header nav { display: flex; flex-wrap: wrap; gap: .25rem 1.25rem; }
.brand { font-weight: 700; font-size: 1.15rem; color: inherit; text-decoration: none; }
.single { max-width: 46rem; margin: 0 auto; padding: 1.5rem; }
.columns { display: grid; gap: 2rem; max-width: 82rem; margin: 0 auto; padding: 1.5rem; }
footer { border-top: 1px solid var(--line); padding: 1rem 1.5rem; color: var(--soft); font-size: .9rem; }
h1 { font-size: 1.9rem; line-height: 1.2; margin: 0 0 1rem; }
h2 { font-size: 1.45rem; margin: 3rem 0 .5rem; padding-top: .5rem; border-top: 1px solid var(--line); }
h3 { font-size: 1.12rem; margin: 0 0 .35rem; }
h4 { font-size: .95rem; margin: 1.1rem 0 .3rem; }
p { margin: .5rem 0; max-width: 46rem; }
.soft { color: var(--soft); }
code, pre { font: .875em/1.5 ui-monospace, monospace; }
code { overflow-wrap: anywhere; }
pre { background: var(--raised); border: 1px solid var(--line); border-radius: .4rem; padding: .75rem 1rem; overflow: auto; max-height: 26rem; margin: .5rem 0; }
article { border: 1px solid var(--line); border-radius: .5rem; padding: 1rem 1.25rem; margin: 1rem 0; min-width: 0; }
main { min-width: 0; }
.method { font: 700 .8rem/1 ui-monospace, monospace; border: 1px solid currentColor; border-radius: .25rem; padding: .15rem .35rem; }
.get { color: var(--get); } .post { color: var(--post); } .put { color: var(--put); } .delete { color: var(--delete); }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; font-size: .92rem; }
th, td { text-align: left; vertical-align: top; padding: .4rem .75rem .4rem 0; border-bottom: 1px solid var(--line); }
thead th { color: var(--soft); font-weight: 600; }
tbody th { font-weight: 400; white-space: nowrap; }
.mark { color: var(--delete); font-size: .8rem; white-space: nowrap; }
summary { cursor: pointer; padding: .3rem 0; }
details { border-top: 1px solid var(--line); }
.toc { font-size: .92rem; max-height: 50vh; overflow-y: auto; }
.toc ul { list-style: none; margin: 0 0 .75rem; padding: 0; }
.toc li { padding: .1rem 0; }
.toc p { font-weight: 600; margin: .25rem 0; }
.toc details { border: 0; }
@media (min-width: 64rem) {
  .columns { grid-template-columns: 17rem minmax(0, 1fr); }
  .toc { position: sticky; top: 1rem; max-height: calc(100vh - 2rem); overflow-y: auto; align-self: start; }
}
@media print { .toc, header nav, .skip { display: none; } pre { max-height: none; } }
`;
