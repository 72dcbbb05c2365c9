import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runOrThrow } from '../kit/run.ts';
import type { Image } from './images.ts';
import { lockedReference } from './locked-images.ts';

export type BuiltImage = { reference: string; bytes: number; seconds: number };

const ROOT = join(import.meta.dirname, '../../../..');
const docker = (args: readonly string[], cwd = ROOT) => runOrThrow('docker', args, { cwd });

/** Builds an image of this repository, or of the checkout in `folder`, for this machine. NODE_IMAGE is another base image. */
export async function buildImage(
  image: Image,
  reference: string,
  revision: string,
  folder?: string,
): Promise<BuiltImage> {
  const started = performance.now();
  const base = process.env.NODE_IMAGE ? ['--build-arg', `NODE_IMAGE=${process.env.NODE_IMAGE}`] : [];
  await docker(
    ['build', ...buildArgsOf(image, reference, revision), ...base, '--tag', reference, '.'],
    folder,
  );
  const size = await docker(['image', 'inspect', '--format', '{{.Size}}', reference]);
  return { reference, bytes: Number(size), seconds: (performance.now() - started) / 1000 };
}

/** `platforms` as buildx takes them, such as `linux/amd64,linux/arm64`; without them that of the builder. */
type Push = { reference: string; revision: string; platforms?: string | undefined };

/**
 * Builds an image from the locked base image and pushes it with SBOM and provenance, by buildx.
 * @returns the digest; of several platforms that of their index
 */
export async function pushImage(image: Image, { reference, revision, platforms }: Push): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'casewatch-image-'));
  const file = join(folder, 'metadata.json');
  try {
    const base = ['--build-arg', `NODE_IMAGE=${lockedReference('NODE_IMAGE')}`];
    const materials = ['--attest', `type=sbom,generator=${lockedReference('SBOM_IMAGE')}`];
    const provenance = ['--attest', 'type=provenance,mode=max'];
    const targets = platforms === undefined ? [] : ['--platform', platforms];
    const output = ['--metadata-file', file, '--tag', reference, '--push', '.'];
    const args = [
      ...buildArgsOf(image, reference, revision),
      ...base,
      ...materials,
      ...provenance,
      ...targets,
      ...output,
    ];
    await docker(['buildx', 'build', ...args]);
    const metadata = JSON.parse(await readFile(file, 'utf8')) as { 'containerimage.digest'?: string };
    const digest = metadata['containerimage.digest'];
    if (!digest?.startsWith('sha256:')) throw new Error(`buildx returned no digest for ${reference}`);
    return digest;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** The version of an image is the tag of its reference. */
function buildArgsOf(image: Image, reference: string, revision: string): string[] {
  const version = reference.slice(reference.lastIndexOf(':') + 1);
  const args = { SERVICE: image.workspace, VERSION: version, REVISION: revision };
  return Object.entries(args).flatMap(([name, value]) => ['--build-arg', `${name}=${value}`]);
}
