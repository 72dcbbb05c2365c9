/** npm run nats-users: writes the NATS users' rights anew. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { natsUsersConf } from './nats-users.ts';

const file = join(import.meta.dirname, '../../../../deploy/k8s/components/nats/users.conf');
writeFileSync(file, natsUsersConf());
