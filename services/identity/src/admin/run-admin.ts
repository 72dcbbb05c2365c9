import { operatorProgram } from '@casewatch/platform';
import { openAdmin } from './admin-context.ts';
import { keyCreate } from './key-create.ts';
import { keyList } from './key-list.ts';
import { keyRevoke, keyRotate } from './key-rotate.ts';
import { partnerCreate } from './partner-create.ts';
import { partnerList } from './partner-list.ts';
import { partnerReactivate, partnerSuspend } from './partner-status.ts';
import { secretPepperStatus } from './secret-pepper-status.ts';
import { seedDemo } from './seed-demo.ts';
import { signingKeyList } from './signing-key-list.ts';
import { signingKeyReplace, signingKeyRotate } from './signing-key-rotate.ts';
import { userDelete } from './user-delete.ts';
import { userReactivate, userSuspend } from './user-status.ts';

/** Identity's operator program: runs one command and returns the exit code. */
export const runAdmin = operatorProgram({
  commands: [
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
  ],
  async withContext(env, _say, work) {
    const { ctx, close } = await openAdmin(env);
    try {
      return await work(ctx);
    } finally {
      await close();
    }
  },
});
