import { accessibilityFaults, type Page } from '@casewatch/dev/browser';
import { markupFaults } from '@casewatch/dev/markup';

/** A page, or the answer to a form. */
export type Visit = { readonly path: string; readonly form?: Readonly<Record<string, string>> };

/** 320 px: the smallest phone of WCAG 1.4.10. Dark changes colours alone, so only rules about colours run again. */
const looks = [
  { colorScheme: 'light', width: 1300, rules: 'all' },
  { colorScheme: 'dark', width: 1300, rules: 'colours' },
  { colorScheme: 'light', width: 320, rules: 'all' },
  { colorScheme: 'dark', width: 320, rules: 'colours' },
] as const;

/** What is wrong with a page: markup, accessibility, width, focus, and messages in the console of the browser. */
export async function checkPage(page: Page, visit: Visit): Promise<string[]> {
  const messages: string[] = [];
  const note = (message: { text(): string; location(): { url: string } }) => {
    // Of an error page the browser says its status.
    if (message.location().url !== page.url()) messages.push(`console: ${message.text()}`);
  };
  page.on('console', note);
  const answer = await open(page, visit);
  if (answer === null) throw new Error(`${visit.path} has no answer`);
  const found = await markupFaults(await answer.text());
  for (const look of looks) {
    await page.emulateMedia({ colorScheme: look.colorScheme });
    await page.setViewportSize({ width: look.width, height: 800 });
    const faults = await accessibilityFaults(page, look.rules);
    const contentWidth = Number(await page.evaluate('document.documentElement.scrollWidth'));
    if (contentWidth > look.width) faults.push(`${contentWidth} px wide`);
    found.push(...faults.map((fault) => `${look.colorScheme}, ${look.width} px: ${fault}`));
  }
  found.push(...(await hiddenFocus(page)));
  page.off('console', note);
  return [...found, ...messages].map((fault) => `${visit.form ? 'POST ' : ''}${visit.path}: ${fault}`);
}

async function open(page: Page, { path, form }: Visit) {
  if (!form) return await page.goto(path);
  const isAnswer = page.waitForResponse(
    (response) => response.request().isNavigationRequest() && response.headers().location === undefined,
  );
  const isLoaded = page.waitForEvent('load');
  await page.evaluate(`(${sendForm})(${JSON.stringify({ path, form })})`);
  await isLoaded;
  return await isAnswer;
}

// A text, because it runs in the page, whose types the tests do not have.
const sendForm = `({ path, form }) => {
  const sent = Object.assign(document.createElement('form'), { method: 'post', action: path });
  for (const [name, value] of Object.entries(form)) {
    sent.append(Object.assign(document.createElement('input'), { name, value }));
  }
  document.body.append(sent);
  sent.submit();
}`;

/** Elements that take the focus of the keyboard without an outline. */
async function hiddenFocus(page: Page): Promise<string[]> {
  // After a key the browser shows the focus.
  await page.keyboard.press('Tab');
  return (await page.evaluate(focusAll)) as string[];
}

const focusAll = `[...document.querySelectorAll('a[href], button, input:not([type=hidden]), select, textarea, summary, [tabindex="0"]')]
  .filter((element) => element.checkVisibility())
  .filter((element) => {
    element.focus();
    const { outlineStyle, outlineWidth } = getComputedStyle(element);
    return document.activeElement === element && (outlineStyle === 'none' || parseFloat(outlineWidth) < 2);
  })
  .map((element) => 'focus is not visible: ' + element.outerHTML.slice(0, 120))`;
