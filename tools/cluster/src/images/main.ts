/**
 * npm run images [-- name …]: builds all images or those named, as IMAGE_REGISTRY and IMAGE_TAG say.
 * npm run images -- --push <file> [--platforms linux/amd64,linux/arm64]: builds from locked digests, pushes, and writes a kustomize
 * component with the digests. Without --platforms: for the platform of the builder.
 */
import { execFileSync } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { type BuiltImage, buildImage, pushImage } from './build-image.ts';
import { digestsComponent, type PushedImage } from './digests-component.ts';
import { destinationFrom, pickImages, referenceOf } from './images.ts';

try {
  const { values, positionals } = parseArgs({
    options: { push: { type: 'string' }, platforms: { type: 'string' } },
    allowPositionals: true,
  });
  const images = pickImages(positionals);
  if (values.push) await pushAll(images, { file: values.push, platforms: values.platforms });
  else if (values.platforms) throw new Error('--platforms is for --push: this machine keeps one platform.');
  else await buildAll(images);
} catch (err) {
  console.error(err instanceof Error ? err.message : String(err));
  process.exitCode = 1;
}

// One after the other: the first image builds the layers that all images share.
async function buildAll(images: ReturnType<typeof pickImages>): Promise<void> {
  for (const image of images) {
    const reference = referenceOf(image, destinationFrom(process.env));
    console.log(line(await buildImage(image, reference, currentRevision())));
  }
}

async function pushAll(
  images: ReturnType<typeof pickImages>,
  { file, platforms }: { file: string; platforms: string | undefined },
): Promise<void> {
  const destination = destinationFrom(process.env);
  const pushed: PushedImage[] = [];
  for (const image of images) {
    const reference = referenceOf(image, destination);
    const place = reference.slice(0, -(destination.tag.length + 1));
    const digest = await pushImage(image, { reference, revision: currentRevision(), platforms });
    pushed.push({ name: `casewatch/${image.name}`, place, tag: destination.tag, digest });
    console.log(`${place}@${digest}`);
  }
  await writeFile(file, digestsComponent(pushed));
}

function line({ reference, bytes, seconds }: BuiltImage): string {
  const megabytes = `${Math.round(bytes / 1e6)} MB`;
  return `${reference.padEnd(40)} ${megabytes.padStart(8)} ${`${seconds.toFixed(1)} s`.padStart(8)}`;
}

/** The commit of this tree; `unknown` if the sources have no history. */
function currentRevision(): string {
  try {
    return execFileSync('git', ['rev-parse', 'HEAD'], { encoding: 'utf8', stdio: 'pipe' }).trim();
  } catch {
    return 'unknown';
  }
}
