import { currentNamespace } from './kubectl.ts';

type Options = {
  name: string;
  image: string;
  user: number;
  command: readonly string[];
  memoryLimit: string;
  /** A volume claim, mounted at /data/db and writable by the group. */
  claim?: string;
};

/** A pod that does nothing until a command is run in it. */
export function idlePod({ name, image, user, command, memoryLimit, claim }: Options, label = name) {
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name, namespace: currentNamespace(), labels: { 'app.kubernetes.io/name': label } },
    spec: {
      automountServiceAccountToken: false,
      enableServiceLinks: false,
      terminationGracePeriodSeconds: 0,
      restartPolicy: 'Never',
      securityContext: {
        runAsNonRoot: true,
        runAsUser: user,
        runAsGroup: user,
        ...(claim !== undefined && { fsGroup: user }),
        seccompProfile: { type: 'RuntimeDefault' },
      },
      containers: [
        {
          name: label,
          image,
          imagePullPolicy: 'IfNotPresent',
          command,
          resources: { requests: { cpu: '10m', memory: '32Mi' }, limits: { memory: memoryLimit } },
          securityContext: {
            allowPrivilegeEscalation: false,
            readOnlyRootFilesystem: true,
            capabilities: { drop: ['ALL'] },
          },
          ...(claim !== undefined && { volumeMounts: [{ name: 'data', mountPath: '/data/db' }] }),
        },
      ],
      ...(claim !== undefined && {
        volumes: [{ name: 'data', persistentVolumeClaim: { claimName: claim } }],
      }),
    },
  };
}
