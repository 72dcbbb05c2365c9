import { expect, it } from '@jest/globals';
import mongoose from 'mongoose';
import { effectsIn } from '../src/side-effects.ts';

/** A message of the MongoDB protocol with one document, as drivers send it. */
function command(document: object): Buffer {
  const body = Buffer.from(mongoose.mongo.BSON.serialize(document));
  const head = Buffer.alloc(21);
  head.writeInt32LE(head.length + body.length, 0);
  head.writeInt32LE(2013, 12);
  return Buffer.concat([head, body]);
}

it.each<[string, Buffer, string[]]>([
  ['mongod-0', command({ insert: 'outbox', documents: [] }), ['insert outbox']],
  ['mongod-1', command({ commitTransaction: 1, $db: 'admin' }), ['commitTransaction']],
  ['mongod-1', command({ findAndModify: 'leases' }), ['findAndModify leases']],
  ['mongod-2', command({ find: 'cases' }), []],
  ['mongod-2', command({ hello: 1 }), []],
  ['mongod-2', Buffer.from('the middle of a long message, which has no head'), []],
  ['nats-0', Buffer.from('PUB status.updated _INBOX.1 2\r\n{}\r\n'), ['publish status.updated']],
  ['nats-0', Buffer.from('HPUB case.created r 12 14\r\nNATS/1.0\r\n\r\n{}\r\n'), ['publish case.created']],
  ['nats-0', Buffer.from('PUB $JS.ACK.CASES.monitor.1.2.3.4.0 4\r\n+ACK\r\n'), ['acknowledge an event']],
  ['nats-0', Buffer.from('PUB $JS.ACK.CASES.monitor.1.2.3.4.0 4\r\n+WPI\r\n'), []],
  ['nats-0', Buffer.from('PUB identity.people _INBOX.1 2\r\n{}\r\n'), []],
  ['smtp', Buffer.from('the end\r\n.\r\n'), ['end a mail']],
  ['smtp', Buffer.from('RCPT TO:<a@example.com>\r\n'), []],
  ['twilio', Buffer.from('POST /2010-04-01/Accounts/AC1/Messages.json HTTP/1.1\r\n'), ['post a message']],
  ['twilio', Buffer.from('GET /v1/Content HTTP/1.1\r\n'), []],
])('what lasts is read from the bytes to %s: %#', (link, piece, expected) => {
  expect(effectsIn(link, piece)).toEqual(expected);
});
