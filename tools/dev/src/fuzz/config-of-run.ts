/** Values by the place that schemathesis gives them: `path.user_id`. */
export type KnownValues = Record<string, readonly (string | number)[]>;

/** TOML for one run, after the rules. The file keeps credentials off the command line, which other users can read. */
export function configOfRun(headers: Record<string, string>, knownValues: KnownValues): string {
  const places = Object.keys(knownValues);
  // JSON strings, numbers and lists are valid TOML.
  return [
    '',
    '[headers]',
    ...Object.entries(headers).map(([name, value]) => `${name} = ${JSON.stringify(value)}`),
    '[dictionaries]',
    ...places.map((place) => `${dictionaryOf(place)} = { values = ${JSON.stringify(knownValues[place])} }`),
    '[parameters]',
    ...places.map((place) => `"${place}" = { dictionary = "${dictionaryOf(place)}", probability = 0.5 }`),
    '',
  ].join('\n');
}

function dictionaryOf(place: string): string {
  return place.replace('.', '_');
}

/** The options of `st run`. `--short`: few examples, no chains of requests. Later options override. */
export function optionsOf(args: readonly string[]): string[] {
  const short = ['--max-examples', '2', '--phases', 'examples,fuzzing'];
  const explicit = args.filter((arg) => arg !== '--short');
  return args.includes('--short') ? [...short, ...explicit] : explicit;
}
