/* Pages work without this script. It notes the time zone, copies, and refreshes a page that is open. */
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
