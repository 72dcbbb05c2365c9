import { join } from 'node:path';

export const ROOT = join(import.meta.dirname, '../../../..');
export const DEPLOY = join(ROOT, 'deploy/k8s');
export const DEMO_NAMESPACE_FILE = join(DEPLOY, 'overlays/demo/namespace.yaml');
/** The demonstration with settings for load tests. */
export const VERIFY = join(DEPLOY, 'overlays/verify');

export type Settings = {
  /** Shell command that brings images into the cluster; the names of all images of the manifests are appended. */
  loadImages: string | undefined;
  /** Shell command that frees volumes after the namespace was deleted; the names of those that are left are appended. */
  afterDelete: string | undefined;
  /** Address of the node; default: the first node's InternalIP. */
  nodeAddress: string | undefined;
  /** Commit that `release-roll` rolls from; default: the last release. */
  from: string | undefined;
  /** Requests a second of `rolling-restart`. */
  rate: number;
};

/** Requests a second of the checks that last for many minutes: 50, or fewer if `VERIFY_RATE` says so. */
export const lastingRate = ({ rate }: Settings): number => Math.min(50, rate);

/** From LOAD_IMAGES, AFTER_DELETE, NODE_ADDRESS and VERIFY_RATE. @throws Error if the rate is wrong */
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
