import { Agent, get } from 'node:https';

const IDLE_MS = 30_000;
const MAX_REDIRECTS = 5;

/**
 * The body at an https address, over the proxy of HTTPS_PROXY and NO_PROXY.
 * @throws Error if the host is unreachable, silent for 30 s, or does not answer 200
 */
export async function httpsGet(url: string, redirects = MAX_REDIRECTS): Promise<Buffer> {
  const agent = new Agent({ proxyEnv: process.env });
  try {
    const answer = await request(url, agent);
    if (answer.location === undefined) return answer.body;
    if (redirects === 0) throw new Error(`${new URL(url).host} redirects without end`);
    return await httpsGet(new URL(answer.location, url).href, redirects - 1);
  } finally {
    agent.destroy();
  }
}

function request(url: string, agent: Agent): Promise<{ body: Buffer; location?: string }> {
  const { host } = new URL(url);
  return new Promise((resolve, reject) => {
    const req = get(url, { agent, timeout: IDLE_MS }, (res) => {
      const status = res.statusCode ?? 0;
      const { location } = res.headers;
      const chunks: Buffer[] = [];
      res.on('data', (chunk: Buffer) => chunks.push(chunk));
      res.on('error', reject);
      res.on('end', () => {
        const body = Buffer.concat(chunks);
        if (status >= 300 && status < 400 && location !== undefined) resolve({ body, location });
        else if (status === 200) resolve({ body });
        else reject(new Error(`${host} answers ${status}`));
      });
    });
    req.on('timeout', () => req.destroy(new Error(`${host} is silent for ${IDLE_MS / 1000} s`)));
    req.on('error', reject);
  });
}
