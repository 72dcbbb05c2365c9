import { operatorProgram } from '@casewatch/platform';
import { explain } from './explain.ts';
import { dropHeld, release } from './held.ts';
import { withAdmin } from './open-admin.ts';
import { pause, resume } from './pause.ts';
import { recheck } from './recheck.ts';
import { share } from './share.ts';
import { status } from './status.ts';

export const runAdmin = operatorProgram({
  name: 'monitor',
  commands: [status, pause, resume, recheck, release, dropHeld, share, explain],
  withContext: withAdmin,
});
