/* Pages work without this script. It notes the time zone, copies, takes keys, and refreshes a page that is open. */
const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
if (zone && !document.cookie.includes(`zone=${zone}`)) {
  document.cookie = `zone=${zone}; Path=/; Max-Age=31536000; SameSite=Lax`;
}

/* Secrets have a button, other values a small one. */
function addCopyButtons() {
  for (const value of document.querySelectorAll('.secret, [data-copy]')) {
    const isSecret = value.matches('.secret');
    const text = (isSecret ? value.querySelector('code') : value).textContent;
    const button = Object.assign(document.createElement('button'), {
      type: 'button',
      className: isSecret ? 'button' : 'button link small copy',
      textContent: 'Copy',
      ariaLabel: isSecret ? 'Copy' : `Copy ${value.getAttribute('aria-label') ?? text}`,
    });
    button.addEventListener('click', async () => {
      await navigator.clipboard.writeText(text);
      button.textContent = 'Copied';
    });
    if (isSecret) value.append(button);
    else value.after(' ', button);
  }
}

/* What the server sent, without what this script adds. */
let sent = document.querySelector('main')?.innerHTML;
addCopyButtons();

/* A filter that is chosen takes effect. */
document.addEventListener('change', ({ target }) => {
  if (target.matches('.filters select')) target.form.requestSubmit();
});

/* j and k go from row to row. Other keys press what names them by `data-key`: in the row first, then on the page. */
const rowLinks = () => [...document.querySelectorAll('main tbody th a')];
const rowOf = (element) => element?.closest('main tbody tr');

function goBy(step) {
  const links = rowLinks();
  const row = rowOf(document.activeElement);
  const at = links.findIndex((link) => row !== null && rowOf(link) === row);
  const next = links[at < 0 ? 0 : Math.min(Math.max(at + step, 0), links.length - 1)];
  next?.focus();
  next?.scrollIntoView({ block: 'nearest' });
}

function press(key) {
  const row = rowOf(document.activeElement);
  const named = `[data-key="${CSS.escape(key)}"]`;
  const inRow = row?.querySelector(named);
  const target = inRow ?? document.querySelector(`:not(tbody *)${named}`);
  if (!target) return false;
  // What acts on selected rows acts on the one that has the focus, if none is selected.
  const box = row?.querySelector('.pick');
  if (!inRow && box && !document.querySelector('.pick:checked')) box.checked = true;
  if (target.matches('button, [type=checkbox]')) target.click();
  else target.focus();
  return true;
}

document.addEventListener('keydown', (event) => {
  const { key, target, ctrlKey, metaKey, altKey } = event;
  const isTyping = target.matches('input:not([type=checkbox]), select, textarea');
  if (ctrlKey || metaKey || altKey || isTyping) return;
  // Enter in a box would send the form of all rows.
  const link = key === 'Enter' && target.matches('.pick') && rowOf(target).querySelector('th a');
  if (link) {
    event.preventDefault();
    link.click();
    return;
  }
  if (key === 'j' || key === 'k') goBy(key === 'j' ? 1 : -1);
  else if (key.length !== 1 || !press(key)) return;
  event.preventDefault();
});

/* A double press would show the answer of the second in place of that of the first, which did what was wanted. */
const pressedMs = 5_000;
const pressed = new WeakSet();
document.addEventListener('submit', (event) => {
  const what = event.submitter ?? event.target;
  if (event.target.method !== 'post') return;
  if (pressed.has(what)) event.preventDefault();
  pressed.add(what);
  setTimeout(() => pressed.delete(what), pressedMs);
});

const liveMs = 5_000;

/** A person who reads, types or has opened something is not disturbed. */
function isInUse(main) {
  const active = document.activeElement;
  if (document.hidden || main.querySelector('details[open], .pick:checked')) return true;
  return main.contains(active) && active !== main;
}

/* Most times the page asks whether there is something new; the answer is empty if there is not. Once a minute it is made as a whole: times say how long ago they are. */
const wholeEach = 12;
let looks = 0;
const lookOf = ({ dataset }) =>
  dataset.live && (looks + 1) % wholeEach !== 0 ? { 'second-look': `${looks} ${dataset.live}` } : {};

async function refresh() {
  const main = document.querySelector('main[data-live]');
  if (!main) return;
  if (!isInUse(main)) {
    try {
      const answer = await fetch(location.href, { headers: { accept: 'text/html', ...lookOf(main) } });
      looks += 1;
      // The session has ended: nothing of it stays on the screen.
      if (answer.status === 401) return location.reload();
      const next = new DOMParser().parseFromString(await answer.text(), 'text/html').querySelector('main');
      const isChanged = answer.ok && next && next.innerHTML !== sent;
      if (next && !isChanged && answer.ok) main.dataset.live = next.dataset.live ?? '';
      if (isChanged && !isInUse(main)) {
        sent = next.innerHTML;
        main.dataset.live = next.dataset.live ?? '';
        main.replaceChildren(...next.childNodes);
        addCopyButtons();
      }
    } catch {
      // Offline: the page stays as it is, and the next try comes.
    }
  }
  setTimeout(refresh, liveMs);
}
setTimeout(refresh, liveMs);
