/** Where a value goes, as schemathesis names it (`path.user_id`), and values that exist or are taken. */
export type KnownValues = Record<string, readonly (string | number)[]>;

/**
 * What only one run knows, as TOML to go after the rules. Credentials stand in a file, not on the command line, which
 * everybody on the machine sees. Half of the time a known value is taken: chance alone would hardly find one.
 */
export function configOfRun({
  headers,
  known,
}: {
  headers: Record<string, string>;
  known: KnownValues;
}): string {
  const places = Object.keys(known);
  // JSON's strings, numbers and lists of them are TOML's too.
  return [
    '',
    '[headers]',
    ...Object.entries(headers).map(([name, value]) => `${name} = ${JSON.stringify(value)}`),
    '[dictionaries]',
    ...places.map((place) => `${dictionaryOf(place)} = { values = ${JSON.stringify(known[place])} }`),
    '[parameters]',
    ...places.map((place) => `"${place}" = { dictionary = "${dictionaryOf(place)}", probability = 0.5 }`),
    '',
  ].join('\n');
}

function dictionaryOf(place: string): string {
  return place.replace('.', '_');
}
