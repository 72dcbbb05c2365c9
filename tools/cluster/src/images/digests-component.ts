import { lockedImages } from './locked-images.ts';

/** `name` is the name in the manifests (`casewatch/cases`), `place` the name in the registry. */
export type PushedImage = { name: string; place: string; tag: string; digest: string };

/** A kustomize component that sets every image of the manifests to its digest, also MongoDB's and NATS's. */
export function digestsComponent(pushed: readonly PushedImage[]): string {
  const stores = lockedImages().filter(({ name }) => name === 'mongo' || name === 'nats');
  const all = [...pushed, ...stores.map((image) => ({ ...image, place: image.name }))];
  const lines = all.map(
    ({ name, place, tag, digest }) =>
      `  - name: ${name}\n    newName: ${place}\n    newTag: "${tag}"\n    digest: ${digest}\n`,
  );
  return `apiVersion: kustomize.config.k8s.io/v1alpha1\nkind: Component\nimages:\n${lines.join('')}`;
}
