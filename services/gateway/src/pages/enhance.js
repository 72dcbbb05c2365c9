/* Pages work without this script. It notes the time zone, copies, and refreshes a page that is open. */
const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
if (zone && !document.cookie.includes(`zone=${zone}`)) {
  document.cookie = `zone=${zone}; Path=/; Max-Age=31536000; SameSite=Lax`;
}

for (const secret of document.querySelectorAll('.secret')) {
  const button = Object.assign(document.createElement('button'), {
    type: 'button',
    className: 'button',
    textContent: 'Copy',
  });
  button.addEventListener('click', async () => {
    await navigator.clipboard.writeText(secret.querySelector('code').textContent);
    button.textContent = 'Copied';
  });
  secret.append(button);
}

const liveMs = 5_000;

/** A person who reads, types or has opened something is not disturbed. */
function isInUse(main) {
  const active = document.activeElement;
  if (document.hidden || main.querySelector('details[open]')) return true;
  return main.contains(active) && active !== main;
}

async function refresh() {
  const main = document.querySelector('main[data-live]');
  if (!main) return;
  if (!isInUse(main)) {
    try {
      const answer = await fetch(location.href, { headers: { accept: 'text/html' } });
      // The session has ended: nothing of it stays on the screen.
      if (answer.status === 401) return location.reload();
      const next = new DOMParser().parseFromString(await answer.text(), 'text/html').querySelector('main');
      const isChanged = answer.ok && next && next.innerHTML !== main.innerHTML;
      if (isChanged && !isInUse(main)) main.replaceChildren(...next.childNodes);
    } catch {
      // Offline: the page stays as it is, and the next try comes.
    }
  }
  setTimeout(refresh, liveMs);
}
setTimeout(refresh, liveMs);
