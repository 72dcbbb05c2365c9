/** A pod like any other in the namespace, but with a name that no policy knows. */
export const unknownPod = {
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: 'unknown', namespace: 'casewatch', labels: { 'app.kubernetes.io/name': 'unknown' } },
  spec: {
    automountServiceAccountToken: false,
    enableServiceLinks: false,
    terminationGracePeriodSeconds: 0,
    restartPolicy: 'Never',
    securityContext: {
      runAsNonRoot: true,
      runAsUser: 10001,
      runAsGroup: 10001,
      seccompProfile: { type: 'RuntimeDefault' },
    },
    containers: [
      {
        name: 'unknown',
        image: 'casewatch/sandbox:dev',
        imagePullPolicy: 'IfNotPresent',
        command: ['node', '--eval', 'setInterval(() => {}, 60000)'],
        resources: { requests: { cpu: '10m', memory: '32Mi' }, limits: { memory: '128Mi' } },
        securityContext: {
          allowPrivilegeEscalation: false,
          readOnlyRootFilesystem: true,
          capabilities: { drop: ['ALL'] },
        },
      },
    ],
  },
};
