import { Pool } from 'undici';

/** Requests under way at once: four of each of eight partners, fewer than any of them may have. */
const lanes = 32;
const partners = 8;

/** Sends authenticated GETs, each lane one after the other. @throws Error at the first answer that is not 200 */
export async function ask(url: string, requests: number): Promise<void> {
  const pool = new Pool(url, { connections: lanes, pipelining: 1 });
  let left = requests;
  const lane = async (_: unknown, index: number) => {
    const headers = { 'x-api-key': `cwk_${(index % partners) + 1}`, 'x-api-secret': 'a-secret' };
    while (left > 0) {
      left -= 1;
      const { statusCode, body } = await pool.request({ method: 'GET', path: '/v1/client/users', headers });
      const text = await body.text();
      if (statusCode !== 200) throw new Error(`${url} answered ${statusCode}: ${text}`);
    }
  };
  await Promise.all(Array.from({ length: lanes }, lane));
  await pool.close();
}
