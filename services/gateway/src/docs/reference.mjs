// Runs in the browser, inside the reference page. Without it the page shows every language, one below the other.
const root = document.documentElement;
const articles = [...document.querySelectorAll('main article')];

function choose(language) {
  root.dataset.language = language;
  for (const tab of document.querySelectorAll('[role=tab]'))
    tab.setAttribute('aria-selected', String(tab.dataset.language === language));
}

function addTabs(figure) {
  const tabs = document.createElement('div');
  tabs.className = 'tabs';
  tabs.setAttribute('role', 'tablist');
  tabs.append(document.querySelector('#tabs').content.cloneNode(true));
  for (const tab of tabs.children) {
    tab.setAttribute('role', 'tab');
    tab.addEventListener('click', () => {
      // The text under the reader's eyes stays: samples above it change their height.
      const before = tabs.getBoundingClientRect().top;
      choose(tab.dataset.language);
      window.scrollBy(0, tabs.getBoundingClientRect().top - before);
    });
  }
  figure.querySelector('figcaption').after(tabs);
}

function addCopyButton(pre) {
  const button = document.createElement('button');
  button.type = 'button';
  button.className = 'copy';
  button.textContent = 'Copy';
  button.addEventListener('click', async () => {
    await navigator.clipboard.writeText(pre.textContent);
    button.textContent = 'Copied';
    setTimeout(() => {
      button.textContent = 'Copy';
    }, 1500);
  });
  pre.before(button);
}

function addSearch() {
  const input = document.querySelector('.toc input');
  const texts = new Map(articles.map((article) => [article.id, article.textContent.toLowerCase()]));
  input.parentElement.hidden = false;
  input.addEventListener('input', () => {
    const words = input.value.toLowerCase().split(/\s+/);
    for (const item of document.querySelectorAll('.toc li')) {
      const link = item.querySelector('a');
      const text = `${link.textContent.toLowerCase()} ${link.dataset.words ?? texts.get(link.hash.slice(1)) ?? ''}`;
      item.hidden = !words.every((word) => text.includes(word));
    }
    for (const section of document.querySelectorAll('.toc section'))
      section.hidden = !section.querySelector('li:not([hidden])');
  });
  input.addEventListener('keydown', (event) => {
    if (event.key === 'Enter') document.querySelector('.toc li:not([hidden]) a')?.click();
  });
  document.addEventListener('keydown', (event) => {
    const isTyping = document.activeElement instanceof HTMLInputElement;
    if (isTyping || (event.key !== '/' && !(event.key === 'k' && (event.metaKey || event.ctrlKey)))) return;
    event.preventDefault();
    input.focus();
  });
}

function followScrolling() {
  const links = new Map([...document.querySelectorAll('.toc a')].map((link) => [link.hash.slice(1), link]));
  const observer = new IntersectionObserver(
    (entries) => {
      for (const { target, isIntersecting } of entries)
        links.get(target.id)?.classList.toggle('here', isIntersecting);
    },
    { rootMargin: '-10% 0px -80% 0px' },
  );
  for (const article of articles) observer.observe(article);
}

for (const figure of document.querySelectorAll('.request')) addTabs(figure);
for (const pre of document.querySelectorAll('.code pre')) addCopyButton(pre);
if (matchMedia('(max-width: 64rem)').matches) document.querySelector('.toc details').open = false;
choose('curl');
addSearch();
followScrolling();
