import { randomBytes } from 'node:crypto';
import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { ListenError } from './options.mjs';

/** @typedef {import('./declarations.d.ts').Position} Position */

/** @type {import('./declarations.d.ts').LoadPosition} */
export function loadPosition({ state, gateway, headers, since }) {
  const account = `${gateway.origin} ${headers['X-API-KEY']?.slice(0, 12)}`;
  const saved = read(state);
  const secret = saved?.secret ?? `whsec_${randomBytes(32).toString('base64')}`;
  if (saved?.account === account && since === null) return { ...saved, isNew: false };
  return { account, secret, cursor: null, since: since ?? new Date().toISOString(), isNew: true };
}

/** @type {(state: string, position: Position) => void} */
export function savePosition(state, { account, secret, cursor, since }) {
  const text = `${JSON.stringify({ account, secret, cursor, since }, null, 2)}\n`;
  // Only the owner may read the secret. A crash leaves the old file or the new one.
  writeFileSync(`${state}.new`, text, { mode: 0o600 });
  renameSync(`${state}.new`, state);
}

/** @type {(state: string) => Position | null} */
function read(state) {
  try {
    return JSON.parse(readFileSync(state, 'utf8'));
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
    throw new ListenError(`${state} cannot be read; delete it to start again from now`);
  }
}
