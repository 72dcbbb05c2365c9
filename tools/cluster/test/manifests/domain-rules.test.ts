import { expect, it } from '@jest/globals';
import { checkDomain } from '../../src/manifests/domain-rules.ts';

it('finds a selector that an upgrade could never change, and a pod that stops at once', () => {
  const text = `
kind: Deployment
metadata: {name: extra}
spec:
  selector: {matchLabels: {app.kubernetes.io/name: extra, app.kubernetes.io/version: "1"}}
  template:
    metadata: {labels: {app.kubernetes.io/name: extra}}
    spec:
      containers: [{name: extra}]
`;
  expect(checkDomain(text)).toEqual(
    expect.arrayContaining([
      'cases has no Deployment',
      'monitor has no PodDisruptionBudget',
      'Deployment extra selects by app.kubernetes.io/version',
      'pods of extra have no label app.kubernetes.io/part-of',
      'pods of extra mount a token',
      'extra has no readinessProbe',
      'extra does not wait before it stops',
    ]),
  );
});
