/** Skipped checks with their reasons; exceptions of one object are in its annotations (checkov.io/skip…). */
export const checkovSkips: Record<string, string> = {
  CKV_K8S_11:
    'no CPU limits, by choice: they throttle a process although cores are idle; requests share fairly',
  CKV_K8S_14: 'the overlay sets the tag; checkov takes the tag `dev` for none',
  CKV_K8S_15: 'IfNotPresent: tags are versions and never move, and local images (kind) are in no registry',
  CKV_K8S_43:
    'an overlay may pin digests (images: … digest:); the demonstration runs what was built a moment ago',
};

/** CPU limits have a flag (static-checks.ts). */
export const kubeScoreSkips: Record<string, string> = {
  'container-image-pull-policy': 'IfNotPresent, as above',
  'container-image-tag': 'the tag is set in the overlay',
  'deployment-has-host-podantiaffinity': 'topologySpreadConstraints do the same, and spread over zones too',
  'service-type': 'only overlays/verify has node ports, for the machine that tests it',
  'statefulset-has-poddisruptionbudget':
    'the stand-ins have one replica; domain-rules.ts checks MongoDB and NATS',
  'statefulset-has-servicename': 'the stand-ins are reached by an ordinary service',
};
