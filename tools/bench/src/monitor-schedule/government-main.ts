import { createServer, type ServerResponse } from 'node:http';
import { caseOf } from '../monitor/cases.ts';

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
  answer(res, 200, {
    case_status: { receiptNumber: receipt, ...caseOf(receipt) },
    message: 'Query was successful for payload',
  });
}

const server = createServer((req, res) => {
  const url = req.url ?? '';
  if (url.startsWith('/case-status/')) return answerCase(res, url.slice('/case-status/'.length));
  req.resume();
  if (url === '/oauth/accesstoken') return answer(res, 200, token);
  if (url === '/counts') return answer(res, 200, { answered, refused });
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
