import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { docker } from './docker.ts';
import type { Image } from './images.ts';
import { lockedReference } from './locked-images.ts';

/** An image that was built: its full name, how large it is, and how long it took. */
export interface Built {
  reference: string;
  bytes: number;
  seconds: number;
}

/**
 * Builds one image of the Dockerfile of the repository, or of another checkout of it, for this machine, from the tag of the base
 * image, or from NODE_IMAGE.
 * @throws Error with the builder's output
 */
export async function buildImage(
  image: Image,
  reference: string,
  revision: string,
  folder?: string,
): Promise<Built> {
  const started = performance.now();
  const base = process.env.NODE_IMAGE ? ['--build-arg', `NODE_IMAGE=${process.env.NODE_IMAGE}`] : [];
  await docker(['build', ...factsOf(image, revision), ...base, '--tag', reference, '.'], folder);
  const size = await docker(['image', 'inspect', '--format', '{{.Size}}', reference]);
  return { reference, bytes: Number(size), seconds: (performance.now() - started) / 1000 };
}

/**
 * Builds one image from the locked base image and pushes it, with its bill of materials and the provenance that names
 * every input by digest. Needs buildx with a container builder. @returns the digest of what was pushed
 */
export async function pushImage(image: Image, reference: string, revision: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'casewatch-image-'));
  const file = join(folder, 'metadata.json');
  try {
    await docker([
      'buildx',
      'build',
      ...factsOf(image, revision),
      '--build-arg',
      `NODE_IMAGE=${lockedReference('NODE_IMAGE')}`,
      '--attest',
      `type=sbom,generator=${lockedReference('SBOM_IMAGE')}`,
      '--attest',
      'type=provenance,mode=max',
      '--metadata-file',
      file,
      '--tag',
      reference,
      '--push',
      '.',
    ]);
    const metadata = JSON.parse(await readFile(file, 'utf8')) as { 'containerimage.digest'?: string };
    const digest = metadata['containerimage.digest'];
    if (!digest?.startsWith('sha256:')) throw new Error(`buildx told no digest for ${reference}`);
    return digest;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function factsOf(image: Image, revision: string): string[] {
  return ['--build-arg', `SERVICE=${image.workspace}`, '--build-arg', `REVISION=${revision}`];
}
