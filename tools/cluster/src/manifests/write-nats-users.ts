/** npm run nats-users: writes the rights of the NATS users. */
import { writeFileSync } from 'node:fs';
import { natsUsersFiles } from './nats-users.ts';

for (const [path, content] of natsUsersFiles()) writeFileSync(path, content);
