import { lockedImages } from './locked-images.ts';

/** An image that was pushed: its name in the manifests (`casewatch/cases`), where it is, its version and digest. */
export type Pushed = { name: string; place: string; tag: string; digest: string };

/** A kustomize component that sets every image of the manifests to its digest: ours, MongoDB's and NATS'. */
export function digestsComponent(pushed: readonly Pushed[]): string {
  const stores = lockedImages().filter(({ name }) => name === 'mongo' || name === 'nats');
  const all = [...pushed, ...stores.map((one) => ({ ...one, place: one.name }))];
  const lines = all.map(
    ({ name, place, tag, digest }) =>
      `  - name: ${name}\n    newName: ${place}\n    newTag: "${tag}"\n    digest: ${digest}\n`,
  );
  return `apiVersion: kustomize.config.k8s.io/v1alpha1\nkind: Component\nimages:\n${lines.join('')}`;
}
