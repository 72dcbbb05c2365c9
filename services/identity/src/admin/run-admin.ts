import { ConfigError, type Environment } from '@casewatch/platform';
import { openAdmin } from './admin-context.ts';
import { type Command, readCall, UsageError } from './command.ts';
import { keyCreate } from './key-create.ts';
import { keyList } from './key-list.ts';
import { keyRevoke } from './key-revoke.ts';
import { keyRotate } from './key-rotate.ts';
import { partnerCreate } from './partner-create.ts';
import { partnerList } from './partner-list.ts';
import { partnerReactivate } from './partner-reactivate.ts';
import { partnerSuspend } from './partner-suspend.ts';
import { secretPepperStatus } from './secret-pepper-status.ts';
import { seedDemo } from './seed-demo.ts';
import { signingKeyList } from './signing-key-list.ts';
import { signingKeyReplace } from './signing-key-replace.ts';
import { signingKeyRotate } from './signing-key-rotate.ts';
import { userDelete } from './user-delete.ts';
import { userReactivate } from './user-reactivate.ts';
import { userSuspend } from './user-suspend.ts';

const commands: readonly Command[] = [
  partnerCreate,
  partnerList,
  partnerSuspend,
  partnerReactivate,
  keyCreate,
  keyList,
  keyRotate,
  keyRevoke,
  userSuspend,
  userReactivate,
  userDelete,
  signingKeyList,
  signingKeyRotate,
  signingKeyReplace,
  secretPepperStatus,
  seedDemo,
];

type Output = { out(line: string): void; err(line: string): void };

/**
 * Runs one command.
 * @returns the exit code: 0 done, 1 refused or failed, 2 called wrongly or settings missing
 */
export async function runAdmin(args: readonly string[], env: Environment, output: Output): Promise<number> {
  try {
    const { command, options, json } = readCall(commands, args);
    const admin = await openAdmin(env);
    try {
      const report = await command.run(admin.ctx, options);
      if (json) output.out(JSON.stringify(report.json));
      else for (const line of report.lines) output.out(line);
      return 0;
    } finally {
      await admin.close();
    }
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    output.err(error.message);
    return error instanceof UsageError || error instanceof ConfigError ? 2 : 1;
  }
}
