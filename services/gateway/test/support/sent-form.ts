/** What a browser sends of a form, by name. A name of several boxes has a list. */
export type SentForm = Record<string, string | string[]>;

const entities: Readonly<Record<string, string>> = { quot: '"', amp: '&', lt: '<', gt: '>', '#39': "'" };
const textOf = (markup: string) =>
  markup.replaceAll(/&(quot|amp|lt|gt|#39);/g, (_, name: string) => entities[name] ?? '');

/** What a browser sends of a form that nobody changed. `markup`: the form, or fields of it. */
export function sentBy(markup: string): SentForm {
  const sent: SentForm = {};
  for (const [, name = '', rest = ''] of markup.matchAll(/<select [^>]*name="(\w+)"[^>]*>(.*?)<\/select>/gs))
    sent[name] = /value="([^"]*)" selected/.exec(rest)?.[1] ?? /value="([^"]*)"/.exec(rest)?.[1] ?? '';
  for (const [, name = '', text = ''] of markup.matchAll(
    /<textarea [^>]*name="(\w+)"[^>]*>([^<]*)<\/textarea>/g,
  ))
    sent[name] = textOf(text);
  for (const [tag] of markup.matchAll(/<input [^>]*>/g)) {
    const of = (attribute: string) => new RegExp(` ${attribute}="([^"]*)"`).exec(tag)?.[1];
    const name = of('name') ?? '';
    const value = textOf(of('value') ?? '');
    if (of('type') !== 'checkbox') sent[name] = value;
    else if (tag.includes(' checked'))
      sent[name] = of('value') === undefined ? 'on' : [...[sent[name] ?? []].flat(), value];
  }
  return sent;
}

/** The form of a page that is sent to `action`. */
export function formOf(page: string, action: string): SentForm {
  const form = page
    .split('<form ')
    .slice(1)
    .map((text) => text.split('</form>')[0] ?? '')
    .find((text) => text.startsWith('method="post"') && text.includes(`action="${action}"`));
  if (form === undefined) throw new Error(`the page has no form for ${action}`);
  return sentBy(form);
}

/** As a browser encodes it. */
export function encoded(form: SentForm): URLSearchParams {
  const pairs = Object.entries(form).flatMap(([name, values]) =>
    [values].flat().map((value): [string, string] => [name, value]),
  );
  return new URLSearchParams(pairs);
}
