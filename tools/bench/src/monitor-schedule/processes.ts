import { fileURLToPath } from 'node:url';
import { type Running, startProcess } from '../processes.ts';

const governmentMain = fileURLToPath(new URL('./government-main.ts', import.meta.url));
const monitorMain = fileURLToPath(new URL('../../../../services/monitor/src/main.ts', import.meta.url));

export function startGovernment(rate: number): Promise<Running> {
  return startProcess(governmentMain, { GOVERNMENT_RATE: String(rate) }, (line) => line.includes('"url"'));
}

export function startMonitor(env: Record<string, string>): Promise<Running> {
  return startProcess(monitorMain, env, (line) => line.includes('"msg":"ready"'));
}
