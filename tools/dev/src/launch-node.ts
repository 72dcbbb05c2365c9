import { baseEnv } from './base-env.ts';
import { ROOT } from './options.ts';
import { type Child, startChild } from './servers/index.ts';
import type { Settings } from './settings.ts';

/** Starts a TypeScript program under this Node, without a shell or npm in between: its pid is the program's own. */
export function launchNode(main: string, settings: Settings, logFile: string): Promise<Child> {
  const env = { ...baseEnv(process.env), ...settings };
  return startChild({ command: process.execPath, args: [main], env, cwd: ROOT, logFile });
}

/** Where a service's program is. */
export function serviceMain(name: string): string {
  return `services/${name}/src/main.ts`;
}
