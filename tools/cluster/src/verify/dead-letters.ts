import { consumersOf, type ServiceName, serviceNames } from '@casewatch/contracts';
import { exec } from '../kit/kubectl.ts';

const program = 'libs/platform/src/programs/dead-letters.ts';

/** Number of dead letters of each service, from its own database. @throws Error with the message of the command */
export async function deadLetters(): Promise<Map<ServiceName, number>> {
  const services = serviceNames.filter((service) => consumersOf(service).length > 0);
  return new Map(await Promise.all(services.map(async (name) => [name, await countOf(name)] as const)));
}

async function countOf(service: ServiceName): Promise<number> {
  const command = ['node', program, 'list', service, '--json'];
  const { code, stdout, stderr } = await exec(`deploy/${service}`, service, command);
  if (code !== 0) throw new Error(`the dead letters of ${service} cannot be read: ${stderr.trim()}`);
  // Those that are only counted have one entry together.
  const letters = JSON.parse(stdout) as { count?: number }[];
  return letters.reduce((sum, { count = 1 }) => sum + count, 0);
}
