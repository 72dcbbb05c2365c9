import { createSocket } from 'node:dgram';
import { once } from 'node:events';

export type DnsServer = {
  /** As a resolver wants it: address and port. */
  address: string;
  /** The names that were asked for, as they stand on the wire, without the last dot. */
  asked: string[];
  stop(): Promise<void>;
};

/**
 * A name server on loopback that knows these names with one IPv4 address each; null: it never answers anything. The names are
 * read for each question, so a name can turn.
 */
export async function startDnsServer(names: Readonly<Record<string, string>> | null): Promise<DnsServer> {
  const socket = createSocket('udp4');
  const asked: string[] = [];
  socket.on('message', (question, peer) => {
    const { name, type, end } = readQuestion(question);
    asked.push(name);
    if (names)
      socket.send(
        answer(question.subarray(0, end), type === typeA ? names[name] : undefined),
        peer.port,
        peer.address,
      );
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  return {
    address: `127.0.0.1:${socket.address().port}`,
    asked,
    stop: () => new Promise((done) => socket.close(() => done())),
  };
}

const typeA = 1;
const headerBytes = 12;

/** One question, RFC 1035 §4.1.2: labels with their length, a zero, type, class. */
function readQuestion(message: Buffer): { name: string; type: number; end: number } {
  const labels: string[] = [];
  let at = headerBytes;
  for (let length = message.readUInt8(at); length > 0; length = message.readUInt8(at)) {
    labels.push(message.toString('latin1', at + 1, at + 1 + length));
    at += 1 + length;
  }
  return { name: labels.join('.'), type: message.readUInt16BE(at + 1), end: at + 5 };
}

/** The question again, and one address; NXDOMAIN (3) without one. */
function answer(question: Buffer, address: string | undefined): Buffer {
  const header = Buffer.from(question.subarray(0, headerBytes));
  header.writeUInt16BE(0x8180 | (address ? 0 : 3), 2); // an answer, recursion was available
  header.writeUInt16BE(1, 4);
  header.writeUInt16BE(address ? 1 : 0, 6);
  header.writeUInt32BE(0, 8); // no further records
  const record = address
    ? [Buffer.from([0xc0, headerBytes, 0, typeA, 0, 1, 0, 0, 0, 60, 0, 4, ...address.split('.').map(Number)])]
    : [];
  return Buffer.concat([header, question.subarray(headerBytes), ...record]);
}
