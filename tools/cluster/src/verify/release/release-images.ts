import { buildImage } from '../../images/build-image.ts';
import { allImages, referenceOf } from '../../images/images.ts';
import { imagesOf, loadImages as load, overlayIn } from '../../kit/manifest-images.ts';
import { run } from '../../kit/run.ts';
import type { Settings } from '../settings.ts';
import { type Checkout, hasWorkspace } from './checkout.ts';

export function tagOf({ commit }: Checkout): string {
  return commit.slice(0, 7);
}

/** Builds the missing images of a commit and brings all into the cluster. */
export async function provideImages(
  checkout: Checkout,
  { loadImages }: Settings,
  say: (line: string) => void,
): Promise<void> {
  const destination = { registry: '', tag: tagOf(checkout) };
  const images = allImages().filter(
    ({ name, workspace }) => name !== 'seed' && hasWorkspace(checkout, workspace),
  );
  const references: string[] = [];
  for (const image of images) {
    const reference = referenceOf(image, destination);
    references.push(reference);
    if ((await run('docker', ['image', 'inspect', reference])).code === 0) continue;
    say(`building ${reference} …`);
    await buildImage(image, reference, checkout.commit, checkout.folder);
  }
  if (!loadImages) return;
  say(`loading the images of ${destination.tag} …`);
  // A release may have another MongoDB or NATS.
  const named = await imagesOf(overlayIn(checkout.folder, 'verify'));
  const others = named.filter((image) => !image.startsWith('casewatch/'));
  await load(loadImages, [...references, ...others]);
}
