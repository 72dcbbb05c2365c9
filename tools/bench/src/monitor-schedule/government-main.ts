import { readFileSync } from 'node:fs';
import { createServer, type ServerResponse } from 'node:http';
import { caseOf } from './case-of.ts';
import { createLatenesses } from './latenesses.ts';
import { firstNumber, prefix } from './receipts.ts';

/**
 * The government for a bench with more receipts than the sandbox's stand-in holds: it serves a case for every receipt,
 * always the same, at most so many in any second, and counts. It does not look at single gaps: at a thousand requests per
 * second they are a millisecond, which is less than a busy machine's timers keep (`npm run bench -- monitor sending`
 * looks at gaps, at the rates that the government allows). Prints its address as JSON.
 */
const rate = Number(process.env.GOVERNMENT_RATE);

const token = JSON.stringify({ access_token: 'a-token', expires_in: '1799', token_type: 'BearerToken' });
const arrested = JSON.stringify({ code: 429, message: 'Spike Arrest Violation' });

/** When the last so many requests were admitted, ms: a ring. */
const admitted = new Float64Array(rate).fill(Number.NEGATIVE_INFINITY);
let oldest = 0;
let answered = 0;
let refused = 0;
let latenesses = createLatenesses(new Float64Array(0));

function answer(res: ServerResponse, status: number, body: string): void {
  res.writeHead(status, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) });
  res.end(body);
}

function answerCase(res: ServerResponse, receipt: string): void {
  const nowMs = performance.now();
  if (nowMs - (admitted[oldest] ?? 0) < 1_000) {
    refused += 1;
    answer(res, 429, arrested);
    return;
  }
  admitted[oldest] = nowMs;
  oldest = (oldest + 1) % rate;
  answered += 1;
  if (receipt.startsWith(prefix))
    latenesses.note(Number(receipt.slice(prefix.length)) - firstNumber, Date.now());
  answer(
    res,
    200,
    JSON.stringify({ case_status: caseOf(receipt), message: 'Query was successful for payload' }),
  );
}

const server = createServer((req, res) => {
  const url = req.url ?? '';
  if (url.startsWith('/case-status/')) return answerCase(res, url.slice('/case-status/'.length));
  req.resume();
  if (url === '/oauth/accesstoken') return answer(res, 200, token);
  if (url === '/counts')
    return answer(res, 200, JSON.stringify({ answered, refused, ...latenesses.summary() }));
  if (url.startsWith('/due?file=')) {
    const file = readFileSync(decodeURIComponent(url.slice('/due?file='.length)));
    latenesses = createLatenesses(new Float64Array(new Uint8Array(file).buffer));
    return answer(res, 200, '{}');
  }
  answer(res, 404, '{}');
});
server.keepAliveTimeout = 60_000;
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  process.stdout.write(`${JSON.stringify({ url: `http://127.0.0.1:${port}` })}\n`);
});
process.on('SIGTERM', () => server.close(() => process.exit()));
process.on('SIGTERM', () => server.closeAllConnections());
