/* Lists of the console work without this script. It sends filters at once, and takes keys. */

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
