/** What the parts of the system are compared with: FLOOR names a bare program. Each prints `{"url"}` when it is ready. */
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import mongoose from 'mongoose';
import { createTransport } from 'nodemailer';
import { Pool } from 'undici';

const { FLOOR = '', TARGET = '', MONGODB_URL = '', SMTP_URL = '' } = process.env;

const floors: Record<string, () => Promise<RequestListener>> = {
  /** A service that costs next to nothing: one answer to every request. */
  async origin() {
    const user = { id: 1, name: 'Ana Lima', email: 'ana@example.com' };
    const body = JSON.stringify({ users: Array(8).fill(user), has_more: false, next_cursor: null });
    const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) };
    return (_req, res) => void res.writeHead(200, headers).end(body);
  },

  /** A proxy that forwards every GET to TARGET and streams the answer back. */
  async proxy() {
    const pool = new Pool(TARGET, { connections: 64, pipelining: 1 });
    return (req, res) => {
      const forward = pool.stream({ method: 'GET', path: req.url ?? '/' }, ({ statusCode, headers }) => {
        res.writeHead(statusCode, { 'content-type': String(headers['content-type']) });
        return res;
      });
      forward.catch((error: Error) => res.destroy(error));
    };
  },

  /** One majority-written update for a PUT; for a GET the page of cases as the database has it, without objects. */
  async store() {
    const client = await new mongoose.mongo.MongoClient(MONGODB_URL).connect();
    const users = client.db('bench').collection<{ _id: number; at: Date }>('users');
    const cases = client.db('cases').collection('cases');
    const written = { upsert: true, writeConcern: { w: 'majority', journal: true } } as const;
    const newest = { created_at: -1, _id: -1 } as const;
    const page = async () => {
      const rows = await cases.find({ partner_id: 1 }, { raw: true }).sort(newest).limit(51).toArray();
      return Buffer.concat(rows as unknown as Buffer[]);
    };
    const write = async (body: Buffer) => {
      await users.updateOne({ _id: body.length % 8 }, { $set: { at: new Date() } }, written);
      return Buffer.from('{"success":true}');
    };
    return async (req, res) => {
      res.end(req.method === 'GET' ? await page() : await write(await buffer(req)));
    };
  },

  /** A nodemailer pool; GET /100 sends 100 mails of the size of a status mail and answers with its CPU time, ms. */
  async mail() {
    const transport = createTransport({ url: SMTP_URL, pool: true, maxConnections: 16, maxMessages: 100 });
    const html = 'x'.repeat(4_000);
    const send = (_: unknown, i: number) =>
      transport.sendMail({
        from: 'no-reply@casewatch.example',
        to: `person-${i}@example.org`,
        subject: 'Update on your case',
        text: html,
        html,
      });
    return async (req, res) => {
      const before = process.cpuUsage();
      await Promise.all(Array.from({ length: Number(req.url?.slice(1)) }, send));
      const { user, system } = process.cpuUsage(before);
      res.end(JSON.stringify((user + system) / 1_000));
    };
  },

  /** A government that serves any receipt the same case, and counts its answers: GET /count. */
  async government() {
    const served = JSON.parse(process.env.SERVED ?? '{}') as object;
    let count = 0;
    return (req, res) => {
      const receiptNumber = /^\/case-status\/(\w+)$/.exec(req.url ?? '')?.[1];
      if (receiptNumber !== undefined) count += 1;
      const body = {
        '/count': count,
        '/oauth/accesstoken': { access_token: 'a-token', expires_in: '1799', token_type: 'BearerToken' },
      }[req.url ?? ''] ?? { case_status: { receiptNumber, ...served }, message: 'Query was successful' };
      req.resume();
      res.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    };
  },

  /** A Node process that does nothing. */
  async idle() {
    return (_req, res) => void res.end();
  },
};

const listener = await floors[FLOOR]?.();
if (!listener) throw new Error(`FLOOR must be one of ${Object.keys(floors).join(', ')}, not "${FLOOR}".`);
const server = createServer({ keepAliveTimeout: 60_000 }, listener).listen(0, '127.0.0.1', () => {
  process.stdout.write(
    `${JSON.stringify({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` })}\n`,
  );
});
