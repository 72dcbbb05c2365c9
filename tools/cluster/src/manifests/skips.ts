/**
 * Findings that do not hold here, each with its reason; everything else must be clean. What holds for one object alone is
 * in its annotations (checkov.io/skip…).
 */

/** checkov's checks. */
export const checkovSkips: Record<string, string> = {
  CKV_K8S_11:
    'no CPU limits, by choice: they throttle a process that could have had the idle cores; requests share fairly',
  CKV_K8S_14: 'the tag is set in the overlay; checkov takes `dev` of the demonstration for none',
  CKV_K8S_15: 'IfNotPresent: tags are versions and never move, and local images (kind) are in no registry',
  CKV_K8S_43:
    'an overlay may pin digests (images: … digest:); the demonstration runs what was built a moment ago',
};

/** kube-score's tests; CPU limits have a flag of their own, see above. */
export const kubeScoreSkips: Record<string, string> = {
  'container-image-pull-policy': 'IfNotPresent, as above',
  'container-image-tag': 'the tag is set in the overlay',
  'deployment-has-host-podantiaffinity': 'topologySpreadConstraints do the same, and spread over zones too',
  'service-type': 'node ports are in overlays/verify alone, for the machine that puts it to the test',
  'statefulset-has-poddisruptionbudget':
    'the stand-ins are one by nature; rules of ours look after MongoDB and NATS',
  'statefulset-has-servicename': 'the stand-ins are reached by an ordinary service',
};
