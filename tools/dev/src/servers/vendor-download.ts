import { createHash } from 'node:crypto';
import { gunzipSync } from 'node:zlib';
import { httpsGet } from './https-get.ts';
import { atLeast, glibcVersion, programName } from './machine.ts';
import { PINS, type ServerName } from './pins.ts';
import { extractFromTar } from './tar.ts';
import { extractFromZip } from './wheel.ts';

interface Source {
  archive: string;
  /** Address of the published checksums, `<sha256>  <file>` per line. */
  checksums: string;
}

/** The server binary from the vendor's download, checked against the published checksums. */
export async function vendorDownload(name: ServerName): Promise<Buffer> {
  const source = name === 'mongod' ? mongodSource() : natsSource();
  const archive = await httpsGet(source.archive);
  const sums = (await httpsGet(source.checksums)).toString('utf8');
  const sha256 = createHash('sha256').update(archive).digest('hex');
  if (!sums.includes(sha256)) throw new Error('the checksum is not the published one');
  const program = programName(name);
  return source.archive.endsWith('.zip')
    ? extractFromZip(archive, program)
    : extractFromTar(gunzipSync(archive), program);
}

function mongodSource(): Source {
  const arch = process.arch === 'arm64' ? 'arm64' : 'x86_64';
  const archive = `https://fastdl.mongodb.org/${mongodBuild(arch, PINS.mongod.vendorVersion)}`;
  return { archive, checksums: `${archive}.sha256` };
}

function mongodBuild(arch: 'arm64' | 'x86_64', version: string): string {
  if (process.platform === 'darwin') return `osx/mongodb-macos-${arch}-${version}.tgz`;
  if (process.platform === 'win32') return `windows/mongodb-windows-x86_64-${version}.zip`;
  const glibc = glibcVersion();
  if (glibc === undefined) throw new Error('MongoDB has no build for a Linux without glibc');
  // A build runs with any C library and OpenSSL that are not older than its own.
  const old = arch === 'arm64' ? 'rhel82' : 'rhel80';
  const newer = atLeast(glibc, '2.35') ? 'ubuntu2204' : 'rhel90';
  const system = atLeast(glibc, '2.34') ? newer : old;
  return `linux/mongodb-linux-${arch === 'arm64' ? 'aarch64' : arch}-${system}-${version}.tgz`;
}

function natsSource(): Source {
  const version = PINS['nats-server'].vendorVersion;
  const folder = `https://github.com/nats-io/nats-server/releases/download/v${version}`;
  const system = process.platform === 'win32' ? 'windows' : process.platform;
  const arch = process.arch === 'x64' ? 'amd64' : process.arch;
  const ending = process.platform === 'win32' ? 'zip' : 'tar.gz';
  return {
    archive: `${folder}/nats-server-v${version}-${system}-${arch}.${ending}`,
    checksums: `${folder}/SHA256SUMS`,
  };
}
