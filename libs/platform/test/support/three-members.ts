import { type ReplicaSet, startReplicaSet } from '@casewatch/testing';
import { shared } from '@casewatch/testing/shared';

/** Three members of MongoDB, one set for the tests of a file. */
export const threeMembers = shared<ReplicaSet>(async () => {
  const set = await startReplicaSet();
  return { value: set, stop: set.stop };
});
