/** npm run nats-users: writes the rights of the NATS users. */
import { writeFileSync } from 'node:fs';
import { natsUsersConf, natsUsersFile } from './nats-users.ts';

writeFileSync(natsUsersFile, natsUsersConf());
