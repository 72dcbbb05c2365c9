import { ConfigError, type Environment } from '@casewatch/platform';
import { type Command, parseCall, UsageError } from './command.ts';
import { withAdmin } from './open-admin.ts';
import { pause, resume } from './pause.ts';
import { recheck } from './recheck.ts';
import { sandboxTraffic } from './sandbox-traffic.ts';
import { share } from './share.ts';
import { status } from './status.ts';

const commands: Readonly<Record<string, Command>> = {
  status,
  pause,
  resume,
  recheck,
  share,
  'sandbox-traffic': sandboxTraffic,
};

type Output = { out(line: string): void; err(line: string): void };

/**
 * Runs one command.
 * @returns the exit code: 0 done, 1 failed, 2 called wrongly or settings missing
 */
export async function runAdmin(
  args: readonly string[],
  env: Environment,
  { out, err }: Output,
): Promise<number> {
  try {
    const { command, flags, isJson } = parseCall(commands, args);
    const report = await withAdmin(env, err, (admin) => command.run(admin, flags as never));
    for (const line of isJson ? [JSON.stringify(report.json)] : report.lines) out(line);
    return 0;
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    err(error.message);
    return error instanceof UsageError || error instanceof ConfigError ? 2 : 1;
  }
}
