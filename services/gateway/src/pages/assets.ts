import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { basename } from 'node:path';

export type Asset = { readonly path: string; readonly type: string; readonly text: string };

export const styleSheet = asset('style.css', 'text/css');
export const script = asset('enhance.js', 'text/javascript');

export const peopleSheet = asset('people/people.css', 'text/css');

/** Of the console alone: people's pages are to stay small. */
export const keysScript = asset('console/keys.js', 'text/javascript');
/** Of the one page that takes files. */
export const dropScript = asset('console/drop.js', 'text/javascript');

export const assets: readonly Asset[] = [styleSheet, script, peopleSheet, keysScript, dropScript];

/** The name has a hash of the content, so that browsers can keep the file for ever. */
function asset(name: string, type: string): Asset {
  const text = readFileSync(new URL(name, import.meta.url), 'utf8');
  const hash = createHash('sha256').update(text).digest('base64url').slice(0, 12);
  const fileName = basename(name).replace('.', `-${hash}.`);
  return { path: `/assets/${fileName}`, type, text };
}
