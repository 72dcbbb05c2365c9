/** A Node process that does nothing: an open server and one idle connection to TARGET_PORT. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import { connect } from 'node:net';

const server = createServer().listen(0, '127.0.0.1');
await once(server, 'listening');
await once(connect(Number(process.env.TARGET_PORT), '127.0.0.1'), 'connect');
process.stdout.write('ready\n');
