import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { percentiles } from '../kit/statistics.ts';
import { caseOf, indexOf, prefix } from '../monitor/cases.ts';

/**
 * A government for more receipts than the sandbox holds. It admits at most GOVERNMENT_RATE requests in any second, and
 * does not check single gaps, as `npm run bench -- monitor sending` does. Prints its address as JSON.
 */
const rate = Number(process.env.GOVERNMENT_RATE);

const token = { access_token: 'a-token', expires_in: '1799', token_type: 'BearerToken' };
const spikeArrest = { code: 429, message: 'Spike Arrest Violation' };

/** When the last `rate` requests were admitted, ms: a ring. */
const admitted = new Float64Array(rate).fill(Number.NEGATIVE_INFINITY);
let oldest = 0;
let answered = 0;
let refused = 0;
/** When each receipt is due, ms since 1970, by its index; NaN after its first request. */
let due = new Float64Array(0);
let latenesses: number[] = [];

function answer(res: ServerResponse, status: number, content: object): void {
  const body = JSON.stringify(content);
  res.writeHead(status, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) });
  res.end(body);
}

function answerCase(res: ServerResponse, receipt: string): void {
  const nowMs = performance.now();
  if (nowMs - (admitted[oldest] ?? 0) < 1_000) {
    refused += 1;
    answer(res, 429, spikeArrest);
    return;
  }
  admitted[oldest] = nowMs;
  oldest = (oldest + 1) % rate;
  answered += 1;
  if (receipt.startsWith(prefix)) noteLateness(indexOf(receipt));
  answer(res, 200, {
    case_status: { receiptNumber: receipt, ...caseOf(receipt) },
    message: 'Query was successful for payload',
  });
}

function noteLateness(index: number): void {
  const dueMs = due[index] ?? Number.NaN;
  if (Number.isNaN(dueMs)) return;
  latenesses.push(Math.max(0, Date.now() - dueMs));
  due[index] = Number.NaN;
}

/** The body is the due time of every receipt, as 64-bit floats. */
async function takeDueTimes(req: IncomingMessage): Promise<void> {
  due = new Float64Array(new Uint8Array(await buffer(req)).buffer);
  latenesses = [];
}

const server = createServer(async (req, res) => {
  const url = req.url ?? '';
  if (url.startsWith('/case-status/')) return answerCase(res, url.slice('/case-status/'.length));
  if (url === '/due') {
    await takeDueTimes(req);
    return answer(res, 200, {});
  }
  req.resume();
  if (url === '/oauth/accesstoken') return answer(res, 200, token);
  if (url === '/counts') return answer(res, 200, { answered, refused });
  if (url === '/lateness')
    return answer(res, 200, { receipts: latenesses.length, ...percentiles(latenesses) });
  answer(res, 404, {});
});
server.keepAliveTimeout = 60_000;
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  process.stdout.write(`${JSON.stringify({ url: `http://127.0.0.1:${port}` })}\n`);
});
process.on('SIGTERM', () => {
  server.close(() => process.exit());
  server.closeAllConnections();
});
