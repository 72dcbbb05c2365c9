import { entriesOf } from '../../kit/entries.ts';
import { kubectl } from '../../kit/kubectl.ts';
import type { Deployed, Values } from './stages.ts';

type Deployment = {
  spec: {
    template: {
      spec: {
        containers: { envFrom?: { configMapRef?: { name: string } }[] }[];
        volumes: { name: string; secret?: { secretName: string } }[];
      };
    };
  };
};

/** The named settings of each deployment, from its Secret and its ConfigMap. */
export async function readSettings(wanted: Readonly<Record<string, readonly string[]>>): Promise<Deployed> {
  const deployed: Deployed = {};
  for (const [deployment, names] of Object.entries(wanted)) {
    const { secret, configMap } = await placesOf(deployment);
    const all = { ...(await configMap.read()), ...(await secret.read()) };
    deployed[deployment] = Object.fromEntries(
      names.map((name) => {
        const value = all[name];
        if (value === undefined) throw new Error(`${deployment} has no ${name}`);
        return [name, value];
      }),
    );
  }
  return deployed;
}

/** Writes values to the Secret or ConfigMap that has them; pods read them when they restart. */
export async function writeSettings(deployment: string, values: Values): Promise<void> {
  const { secret, configMap } = await placesOf(deployment);
  const inSecret = Object.keys(await secret.read());
  const isSecret = ([name]: [string, string]) => inSecret.includes(name);
  const all = Object.entries(values);
  const forSecret = all.filter(isSecret);
  const forConfigMap = all.filter((entry) => !isSecret(entry));
  if (forSecret.length > 0) await secret.write(Object.fromEntries(forSecret));
  if (forConfigMap.length > 0) await configMap.write(Object.fromEntries(forConfigMap));
}

async function placesOf(deployment: string) {
  const text = await kubectl(['get', 'deployment', deployment, '--output', 'json']);
  const { containers, volumes } = (JSON.parse(text) as Deployment).spec.template.spec;
  const secret = volumes.find(({ name }) => name === 'secrets')?.secret?.secretName;
  const configMap = containers.flatMap(({ envFrom = [] }) => envFrom).find((from) => from.configMapRef)
    ?.configMapRef?.name;
  if (!secret || !configMap) throw new Error(`${deployment} has no Secret and ConfigMap of its own`);
  return { secret: entriesOf(`secret/${secret}`), configMap: entriesOf(`configmap/${configMap}`) };
}
