import { describe, expect, it } from '@jest/globals';
import { extractFromTar } from '../../src/servers/tar.ts';

describe('extractFromTar', () => {
  const archive = Buffer.concat([
    entry('mongodb-7/', '', '5'),
    entry('mongodb-7/README', 'x'.repeat(700), '0'),
    entry('mongodb-7/bin/mongod', 'the server', '0'),
    Buffer.alloc(1024),
  ]);

  it('finds a file behind others of any length', () => {
    expect(extractFromTar(archive, 'mongod').toString()).toBe('the server');
  });

  it('says which file is missing', () => {
    expect(() => extractFromTar(archive, 'mongos')).toThrow('holds no mongos');
  });
});

function entry(name: string, content: string, kind: string): Buffer {
  const header = Buffer.alloc(512);
  header.write(name, 0);
  header.write(`${content.length.toString(8).padStart(11, '0')}\0`, 124);
  header.write(kind, 156);
  const body = Buffer.alloc(Math.ceil(content.length / 512) * 512);
  body.write(content);
  return Buffer.concat([header, body]);
}
