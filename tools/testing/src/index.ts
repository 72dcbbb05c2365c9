/** Real servers for tests, and the patience tests need. */
export { freePort, resolveBinary, startMongod, startNatsServer } from '@casewatch/dev/servers';
export { until as waitFor, type Waiting as WaitOptions } from '@casewatch/driver/until';
export { type Authority, makeAuthority } from './certificates.ts';
export { connectAs } from './connect-as.ts';
export { emptyDatabase } from './empty-database.ts';
export { seededRandom } from './seeded-random.ts';
export { startMongo, type TestMongo } from './start-mongo.ts';
export { startNats, type TestNats } from './start-nats.ts';
export { type ReplicaSet, startReplicaSet } from './start-replica-set.ts';
export { type Sibling, startSibling } from './start-sibling.ts';
export { type TempFolder, tempFolder } from './temp-folder.ts';
