import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { errorCatalogue, routesInOrder } from '@casewatch/contracts';
import { guidePages } from '../../src/docs/guide.ts';
import { consolePages } from '../../src/pages/console/pages.ts';
import { peoplePages } from '../../src/pages/people/pages.ts';

/** Parameters of `path` begin with a colon. */
export type BrowserRoute = { readonly method: 'GET' | 'POST'; readonly path: string };

const source = join(import.meta.dirname, '../../src');

/** Files whose routes are the rows of a table: those of pages, of links in mails, of documents, and the assets, which are no pages. */
const tables = {
  'http/pages/mount-pages.ts': [...peoplePages, ...consolePages],
  'http/pages/add-pages.ts': [],
  'docs/add-docs.ts': [
    ...['/', '/docs', '/openapi.json', '/openapi.yaml', '/asyncapi.json'],
    ...guidePages().map(({ path }) => path),
    ...Object.keys(errorCatalogue).map((code) => `/problems/${code}`),
  ].map((path) => ({ method: 'GET' as const, path })),
};
const linkRows = routesInOrder()
  .filter((row) => row.page)
  .map(({ method, path }) => ({ method: method as 'GET' | 'POST', path }));

// `app.get('/a', …)`, `app.post(['/a', '/b'], …)`, `app.get(path, …)`, and a template that begins with a constant.
const mounted = /\bapp\.(get|post)\(\s*(\[[^\]]+\]|'[^']+'|`[^`]+`|\w[\w.]*)/g;

/** Every address that a browser can reach at the gateway, whichever way the code mounts it. Not the interface for programs. */
export function browserRoutes(): BrowserRoute[] {
  const beside = globSync('**/*.ts', { cwd: source })
    .filter((file) => !(file in tables))
    .flatMap((file) => routesIn(file, readFileSync(join(source, file), 'utf8')));
  const all = [...linkRows, ...Object.values(tables).flat(), ...beside];
  const unique = new Map(all.map(({ method, path }) => [`${method} ${path}`, { method, path }]));
  return [...unique.values()];
}

/** @throws Error for a way to mount a route that it cannot read */
export function routesIn(file: string, text: string): BrowserRoute[] {
  return [...text.matchAll(mounted)].flatMap(([call, verb, given = '']) => {
    const method = verb === 'get' ? 'GET' : 'POST';
    const paths = given.startsWith('[')
      ? [...given.matchAll(/'([^']+)'/g)].map(([, path = '']) => path)
      : pathsOf(given, text);
    if (paths.length === 0) throw new Error(`${file}: browser-routes.ts cannot read the route of ${call}`);
    return paths.map((path) => ({ method, path }) as const);
  });
}

function pathsOf(given: string, text: string): string[] {
  if (/^['`]/.test(given)) {
    const path = given
      .slice(1, -1)
      .replaceAll(/\$\{(\w+)\}/g, (all, name: string) => constantIn(text, name) ?? all);
    return path.startsWith('/') ? [path] : [];
  }
  const constant = constantIn(text, given);
  if (constant !== undefined) return [constant];
  // Rows of a table of the file: `{ path: '/a', … }`.
  return [...text.matchAll(/\bpath: '(\/[^']+)'/g)].map(([, path = '']) => path);
}

function constantIn(text: string, name: string): string | undefined {
  return new RegExp(`\\bconst ${name} = '(/[^']*)'`).exec(text)?.[1];
}
