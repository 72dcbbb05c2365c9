import { docker } from './docker.ts';
import type { Image } from './images.ts';

/** An image that was built: its full name, how large it is, and how long it took. */
export interface Built {
  reference: string;
  bytes: number;
  seconds: number;
}

/** Builds one image of the repository's Dockerfile. @throws Error with the builder's output */
export async function buildImage(image: Image, reference: string, revision: string): Promise<Built> {
  const started = performance.now();
  const facts = ['--build-arg', `SERVICE=${image.workspace}`, '--build-arg', `REVISION=${revision}`];
  await docker(['build', ...facts, '--tag', reference, '.']);
  const size = await docker(['image', 'inspect', '--format', '{{.Size}}', reference]);
  return { reference, bytes: Number(size), seconds: (performance.now() - started) / 1000 };
}
