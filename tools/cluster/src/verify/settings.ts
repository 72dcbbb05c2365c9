import { join } from 'node:path';
import { allImages, destinationFrom, referenceOf } from '../images/images.ts';

export const ROOT = join(import.meta.dirname, '../../../..');
/** What `kubectl apply -k` of the documentation applies: the demonstration. */
export const DEPLOY = join(ROOT, 'deploy/k8s');
/** The same as a load test wants it. */
export const VERIFY = join(DEPLOY, 'overlays/verify');

export type Settings = {
  /** A shell command that gets the images' names behind it and brings them into the cluster. */
  loadImages: string | undefined;
  /** A shell command run when the namespace was deleted, where volumes do not free themselves. */
  afterDelete: string | undefined;
  /** The node's address as this machine sees it; the first node's InternalIP without it. */
  nodeAddress: string | undefined;
  /** The commit that `release-roll` rolls from; the last release without it. */
  from: string | undefined;
  /** Requests per second while deployments are restarted. */
  rate: number;
};

/** From the environment: LOAD_IMAGES, AFTER_DELETE, NODE_ADDRESS, VERIFY_RATE; `from` is an option. @throws Error naming what is wrong */
export function settingsFrom(env: NodeJS.ProcessEnv, from?: string): Settings {
  const rate = Number(env.VERIFY_RATE || 201);
  if (!(rate >= 1 && rate <= 10_000)) throw new Error('VERIFY_RATE must be requests per second, 1 to 10000.');
  return {
    loadImages: env.LOAD_IMAGES || undefined,
    afterDelete: env.AFTER_DELETE || undefined,
    nodeAddress: env.NODE_ADDRESS || undefined,
    from,
    rate,
  };
}

/** The images that the demonstration runs, as its overlay names them. */
export function demoImages(): string[] {
  // What fills a demonstration runs beside compose alone.
  const inCluster = allImages().filter(({ name }) => name !== 'seed');
  return inCluster.map((image) => referenceOf(image, destinationFrom({})));
}
