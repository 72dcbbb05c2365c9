import { NAMESPACE } from '../verify/kubectl.ts';

/** A pod that holds a member's volume and does nothing; the same image and user as the member's. */
export function volumePod(member: string) {
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      name: `restore-${member}`,
      namespace: NAMESPACE,
      labels: { 'app.kubernetes.io/name': 'restore' },
    },
    spec: {
      automountServiceAccountToken: false,
      enableServiceLinks: false,
      terminationGracePeriodSeconds: 0,
      restartPolicy: 'Never',
      securityContext: {
        runAsNonRoot: true,
        runAsUser: 10002,
        runAsGroup: 10002,
        fsGroup: 10002,
        seccompProfile: { type: 'RuntimeDefault' },
      },
      containers: [
        {
          name: 'restore',
          image: 'mongo:6',
          imagePullPolicy: 'IfNotPresent',
          command: ['sleep', '86400'],
          resources: { requests: { cpu: '10m', memory: '32Mi' }, limits: { memory: '256Mi' } },
          securityContext: {
            allowPrivilegeEscalation: false,
            readOnlyRootFilesystem: true,
            capabilities: { drop: ['ALL'] },
          },
          volumeMounts: [{ name: 'data', mountPath: '/data/db' }],
        },
      ],
      volumes: [{ name: 'data', persistentVolumeClaim: { claimName: `data-${member}` } }],
    },
  };
}
