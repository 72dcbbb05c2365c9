/** npm run images [-- [--push] name …]: builds every image, or those named; IMAGE_REGISTRY and IMAGE_TAG say as what. */
import { execFileSync } from 'node:child_process';
import { parseArgs } from 'node:util';
import { type Built, buildImage } from './build-image.ts';
import { docker } from './docker.ts';
import { destinationFrom, pickImages, referenceOf } from './images.ts';

try {
  const { values, positionals } = parseArgs({
    options: { push: { type: 'boolean', default: false } },
    allowPositionals: true,
  });
  const destination = destinationFrom(process.env);
  const revision = currentRevision();
  // One after the other: the first one makes the layers that all of them begin with.
  for (const image of pickImages(positionals)) {
    const built = await buildImage(image, referenceOf(image, destination), revision);
    if (values.push) await docker(['push', built.reference]);
    console.log(line(built));
  }
} catch (err) {
  console.error(err instanceof Error ? err.message : String(err));
  process.exitCode = 1;
}

function line({ reference, bytes, seconds }: Built): string {
  const megabytes = `${Math.round(bytes / 1e6)} MB`;
  return `${reference.padEnd(40)} ${megabytes.padStart(8)} ${`${seconds.toFixed(1)} s`.padStart(8)}`;
}

/** The commit the images are made of; `unknown` where the sources came without their history. */
function currentRevision(): string {
  try {
    return execFileSync('git', ['rev-parse', 'HEAD'], { encoding: 'utf8', stdio: 'pipe' }).trim();
  } catch {
    return 'unknown';
  }
}
