import { createIds } from '@casewatch/platform/database';
import { connectDatabase, startMongo } from '@casewatch/testing';
import { expect, it } from '@jest/globals';

it('ids are unique over parallel callers of several processes', async () => {
  const mongo = await startMongo();
  const url = mongo.url('ids');
  const connections = await Promise.all([connectDatabase(url), connectDatabase(url)]);
  const sources = connections.map((connection) => createIds(connection, 7));
  const wanted = Array.from({ length: 200 }, (_, i) => sources[i % 2]?.next('case'));
  const ids = await Promise.all(wanted);
  await Promise.all(connections.map((connection) => connection.close()));
  await mongo.stop();
  expect(new Set(ids).size).toBe(200);
  expect(Math.min(...(ids as number[]))).toBe(1);
});
