import type { AddressInfo } from 'node:net';
import express from 'express';
import mongoose from 'mongoose';

/** The floor: the reads of each operation with the native driver, one journaled update for a write. Prints its address. */
const client = await new mongoose.mongo.MongoClient(String(process.env.MONGODB_URL)).connect();
const databaseOf = (name: string) => client.db(String(process.env[`DATABASE_${name}`]));
type Row = { _id: number; user_id: number };
const of = (database: string, name: string) => databaseOf(database).collection<Row>(name);
const users = of('IDENTITY', 'users');
const partners = of('IDENTITY', 'partners');
const cases = of('CASES', 'cases');
const updates = of('CASES', 'status_updates');
const webhooks = of('WEBHOOKS', 'webhooks');
const newest = { created_at: -1, _id: -1 } as const;
const journaled = { writeConcern: { w: 'majority', journal: true } } as const;

const app = express();
app.disable('x-powered-by');
app.set('etag', false);
app.get('/v1/client/cases/:ref', async (req, res) => {
  const row = await cases.findOne({ _id: Number(req.params.ref) });
  if (row === null) throw new Error('case not found');
  const [user, status_updates] = await Promise.all([
    users.findOne({ _id: row.user_id }),
    updates.find({ case_id: row._id }).sort({ observation: -1, _id: -1 }).limit(101).toArray(),
  ]);
  res.json({ case: { ...row, user }, status_updates });
});
app.get('/v1/client/cases', async (req, res) => {
  const rows = await cases.find({ partner_id: 1 }).sort(newest).limit(51).toArray();
  const ids = rows.map(({ user_id }) => user_id);
  await users.find({ _id: { $in: ids } }, { projection: { preferred_language: 1 } }).toArray();
  res.json({ cases: rows.slice(0, Number(req.query.limit)) });
});
/** The same page as it comes from the database, without objects. */
app.get('/raw', async (_req, res) => {
  const rows = await cases.find({ partner_id: 1 }, { raw: true }).sort(newest).limit(51).toArray();
  res.send(Buffer.concat(rows as unknown as Buffer[]));
});
app.get('/v1/client/users', async (_req, res) => {
  res.json({ users: await users.find({ partner_id: 1 }).sort(newest).limit(51).toArray() });
});
app.get('/v1/client/users/:id', async (req, res) => {
  res.json({ user: await users.findOne({ _id: Number(req.params.id) }) });
});
app.get('/v1/users/:id/cases', async (req, res) => {
  const userId = Number(req.params.id);
  const [user, rows] = await Promise.all([
    users.findOne({ _id: userId }),
    cases.find({ user_id: userId }).sort(newest).limit(51).toArray(),
  ]);
  res.json({ user, cases: rows });
});
app.get('/v1/client/profile', async (_req, res) => {
  const [partner, userCount, caseCount] = await Promise.all([
    partners.findOne({ _id: 1 }),
    users.countDocuments({ partner_id: 1 }),
    cases.countDocuments({ partner_id: 1 }),
  ]);
  res.json({ partner, userCount, caseCount });
});
app.get('/v1/webhooks', async (_req, res) => {
  res.json({ webhooks: await webhooks.find({ partner_id: 1 }).sort(newest).limit(51).toArray() });
});
app.get('/v1/status', (_req, res) => {
  res.json({ upstream: 'open', checking: true });
});
const update: express.RequestHandler = async (req, res) => {
  const change = { $set: { touched_at: new Date() } };
  await users.updateOne({ _id: Number(req.params.id) }, change, journaled);
  res.json({ success: true });
};
app.put('/v1/client/users/:id', express.json(), update);
app.post('/v1/client/users/:id/cases', express.json(), update);

const server = app.listen(0, '127.0.0.1', () => {
  const { port } = server.address() as AddressInfo;
  process.stdout.write(`${JSON.stringify({ url: `http://127.0.0.1:${port}` })}\n`);
});
