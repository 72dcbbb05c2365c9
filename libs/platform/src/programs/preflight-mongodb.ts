import type { ServiceName } from '@casewatch/contracts';
import { ownerOf } from '../store/database-owner.ts';
import { type Connection, connectMongo, transaction } from '../store/mongo.ts';
import {
  type Check,
  type Finding,
  faultOf,
  type MongoAccess,
  mongoAccess,
  ok,
  unknown,
  wrong,
} from './preflight.ts';

const subject = 'MongoDB';
const oldestMajor = 6;
/** docs/operations.md, "Why transactionLifetimeLimitSeconds is 5 to 10" */
const [shortestLimitS, longestLimitS] = [5, 10];
const scratch = 'preflight';

/** Connection, version, replica set, owner of the database, rights, and the limit of transactions. It leaves nothing behind. */
export function mongodbCheck(service: ServiceName): Check<MongoAccess> {
  return {
    subject,
    async run(settings) {
      const { url, tls } = mongoAccess(settings);
      const connecting = connectMongo(url, tls);
      const connection = await connecting.catch((error: unknown) => faultOf(error));
      if (typeof connection === 'string')
        return [wrong(subject, `MONGODB_URL and MONGODB_TLS_CA do not connect: ${connection}.`)];
      try {
        return await tryDatabase(connection, service);
      } finally {
        await connection.close();
      }
    },
  };
}

async function tryDatabase(connection: Connection, service: ServiceName): Promise<Finding[]> {
  const { db } = connection;
  if (!db) throw new Error('the connection has no database');
  const hello = await db.command({ hello: 1 });
  if (hello.setName === undefined && hello.msg !== 'isdbgrid')
    return [wrong(subject, 'the server is no member of a replica set; transactions need one.')];
  const { version } = (await db.command({ buildInfo: 1 })) as { version: string };
  const tooOld = versionFault(version);
  if (tooOld) return [tooOld];
  const rights = await tryRights(connection).catch((error: unknown) =>
    wrong(subject, `the user of MONGODB_URL needs readWrite on its database: ${faultOf(error)}.`),
  );
  if (rights !== null) return [rights];
  const owner = await ownerOf(connection);
  if (owner !== undefined && owner !== service)
    return [wrong(subject, `MONGODB_URL names the database of ${owner}: ${service} needs one of its own.`)];
  return [ok(subject, `version ${version}, rights and database.`), await tryLimit(connection)];
}

export function versionFault(version: string): Finding | null {
  if (Number(version.split('.')[0]) >= oldestMajor) return null;
  return wrong(subject, `version ${version} is too old: ${oldestMajor}.0 or later is needed.`);
}

/** Everything that a service does: a collection, an index, rows in a transaction. Null: it may. */
async function tryRights(connection: Connection): Promise<null> {
  const rows = connection.collection(scratch);
  try {
    await rows.createIndex({ tried: 1 });
    await transaction(connection, async (session) => {
      await rows.insertOne({ tried: 1 }, { session });
      await rows.updateOne({ tried: 1 }, { $set: { tried: 2 } }, { session });
      await rows.deleteOne({ tried: 2 }, { session });
    });
    return null;
  } finally {
    await rows.drop().catch(() => undefined);
  }
}

async function tryLimit(connection: Connection): Promise<Finding> {
  const name = 'transactionLifetimeLimitSeconds';
  const reply = await connection.db
    ?.admin()
    .command({ getParameter: 1, [name]: 1 })
    .catch(() => null);
  const seconds = reply?.[name];
  if (typeof seconds !== 'number')
    return unknown(
      subject,
      `${name} cannot be read with the rights of the service: ask the server that it is 5.`,
    );
  if (seconds >= shortestLimitS && seconds <= longestLimitS) return ok(subject, `${name} is ${seconds}.`);
  return wrong(subject, `${name} is ${seconds}: set 5 on every member.`);
}
