/** What a program needs of the surroundings, apart from its own settings. */
const KEPT = [
  'PATH',
  'HOME',
  'TMPDIR',
  'TEMP',
  'TMP',
  'LANG',
  'SystemRoot',
  'NODE_OPTIONS',
  'NODE_COMPILE_CACHE',
  'NODE_EXTRA_CA_CERTS',
];

/** The kept part of the environment: a service must not find settings by accident. */
export function baseEnv(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(KEPT.flatMap((key) => (env[key] === undefined ? [] : [[key, env[key]]])));
}
