const quoted = '"(?:[^"\\\\]|\\\\.)*"';
/** Text up to the next comma or semicolon that does not stand in a quoted string (RFC 9110 §5.6.4). */
const elements = new RegExp(`(?:[^,"]|${quoted})+`, 'g');
const parts = new RegExp(`(?:[^;"]|${quoted})+`, 'g');

/**
 * The `Accept` header without the parameters of its media types, which no response of ours has; only the weights `q` stay
 * (RFC 9110 §12.5.1). `application/json; charset=utf-8` accepts JSON.
 */
export function acceptWithoutParameters(accept: string): string {
  if (!accept.includes(';')) return accept;
  return (accept.match(elements) ?? [])
    .map((element) => {
      const [type = '', ...parameters] = element.match(parts) ?? [];
      const weight = parameters.map((text) => text.trim()).find((text) => /^q\s*=/i.test(text));
      return weight === undefined
        ? type.trim()
        : `${type.trim()};${weight.toLowerCase().replaceAll(/\s/g, '')}`;
    })
    .join(', ');
}
