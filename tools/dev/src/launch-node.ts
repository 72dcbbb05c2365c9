import { ROOT } from './options.ts';
import { type Child, startChild } from './servers/index.ts';
import type { Settings } from './settings.ts';

/**
 * As in the images: garbage collections of a quiet service cost more CPU than its work (docs/tuning.md), and a flood of
 * connections must not fill the memory with garbage (docs/adr/0008).
 */
export const nodeOptions = ['--no-memory-reducer', '--initial-heap-size=128', '--max-semi-space-size=4'];

/** Without a shell or npm in between, the pid is the program's own. */
export function launchNode(main: string, settings: Settings, logFile: string): Promise<Child> {
  const env = { ...baseEnv(process.env), ...settings };
  return startChild({ command: process.execPath, args: [...nodeOptions, main], env, cwd: ROOT, logFile });
}

export function serviceMain(name: string): string {
  return `services/${name}/src/main.ts`;
}

const INHERITED = [
  'PATH',
  'HOME',
  'TMPDIR',
  'TEMP',
  'TMP',
  'LANG',
  'SystemRoot',
  'NODE_OPTIONS',
  'NODE_COMPILE_CACHE',
  'NODE_EXTRA_CA_CERTS',
];

/** A program gets these variables and its own settings, so that no other variable can act as a setting. */
export function baseEnv(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(INHERITED.flatMap((key) => (env[key] === undefined ? [] : [[key, env[key]]])));
}
