import { operatorProgram } from '@casewatch/platform';
import type { Session } from '@casewatch/platform/database';
import { rowOf } from '../store/audit.ts';
import { openAdmin } from './admin-context.ts';
import { consoleLink } from './console-link.ts';
import { keyCreate, keyList, keyRevoke, keyRotate } from './keys.ts';
import { partnerSet } from './partner-set.ts';
import {
  partnerCreate,
  partnerDelete,
  partnerList,
  partnerReactivate,
  partnerRestore,
  partnerShow,
  partnerSuspend,
} from './partners.ts';
import { secretPepperStatus } from './secret-pepper-status.ts';
import { seedDemo } from './seed-demo.ts';
import { signingKeyList, signingKeyReplace, signingKeyRotate } from './signing-keys.ts';
import { staffErase, staffInvite, staffResetSecondFactor } from './staff.ts';
import { userDelete, userEraseAgain, userReactivate, userSuspend } from './users.ts';

export const runAdmin = operatorProgram({
  commands: [
    partnerCreate,
    partnerList,
    partnerSet,
    partnerSuspend,
    partnerReactivate,
    partnerShow,
    partnerDelete,
    partnerRestore,
    keyCreate,
    keyList,
    keyRotate,
    keyRevoke,
    consoleLink,
    userSuspend,
    userReactivate,
    userDelete,
    userEraseAgain,
    staffInvite,
    staffErase,
    staffResetSecondFactor,
    signingKeyList,
    signingKeyRotate,
    signingKeyReplace,
    secretPepperStatus,
    seedDemo,
  ],
  recordIn: ({ clock, stores }) => ({
    clock,
    add: (tx, record) => stores.audit.insert([rowOf(record, null)], tx as Session),
  }),
  async withContext(env, _say, work) {
    const { ctx, close } = await openAdmin(env);
    try {
      return await work(ctx);
    } finally {
      await close();
    }
  },
});
