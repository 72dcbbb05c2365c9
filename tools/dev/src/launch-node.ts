import { baseEnv } from './base-env.ts';
import { ROOT } from './options.ts';
import { type Child, startChild } from './servers/index.ts';
import type { Settings } from './settings.ts';

/** Without a shell or npm in between, the pid is the program's own. */
export function launchNode(main: string, settings: Settings, logFile: string): Promise<Child> {
  const env = { ...baseEnv(process.env), ...settings };
  return startChild({ command: process.execPath, args: [main], env, cwd: ROOT, logFile });
}

export function serviceMain(name: string): string {
  return `services/${name}/src/main.ts`;
}
