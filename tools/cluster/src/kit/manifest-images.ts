import { join } from 'node:path';
import { run, runOrThrow } from './run.ts';

/** Every image that an overlay names, each once: those of init containers, of MongoDB and of NATS too. */
export async function imagesOf(overlay: string): Promise<string[]> {
  return imagesIn(await runOrThrow('kubectl', ['kustomize', overlay]));
}

/** The images of rendered manifests. */
export function imagesIn(manifests: string): string[] {
  // `image: name:tag`, with or without quotes, as a key of a map or the first one of a list's item
  const lines = manifests.matchAll(/^\s*(?:- )?image: (["']?)([^\s"']+)\1\s*$/gm);
  return [...new Set([...lines].map(([, , name = '']) => name))].toSorted();
}

/** Brings images into the cluster by a shell command, after pulling those of others that this machine does not have. */
export async function loadImages(command: string, images: readonly string[]): Promise<void> {
  for (const image of images) {
    // Ours are built here: one that is missing is a fault that the command reports.
    if (image.startsWith('casewatch/')) continue;
    if ((await run('docker', ['image', 'inspect', image])).code !== 0)
      await runOrThrow('docker', ['pull', image]);
  }
  await runOrThrow('sh', ['-c', `${command} ${images.join(' ')}`]);
}

/** Where an overlay is in a checkout. */
export const overlayIn = (folder: string, name: string) => join(folder, 'deploy/k8s/overlays', name);
