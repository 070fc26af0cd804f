/**
 * Deciding rows of the bank by keys: `j` `k` to a row's yes, Enter says it, `u` to the row decided last, where it can be
 * undone. After a yes the next row has the focus, and the others are ticked as they were.
 */
const place = 'bank-next';
const last = 'bank-last';
const turned = 'bank-turned';
const boxes = () => [...document.querySelectorAll('[data-list] td.tick input')];
const decide = (row) => row?.querySelector('[data-decide]') ?? row?.querySelector('.row-link');

document.addEventListener('submit', ({ submitter, target }) => {
  const [, ofPage] =
    /^\/bank\/([0-9a-f-]{36})\/(?!angra|hav|ta-bort)/.exec(target.getAttribute('action')) ?? [];
  if (ofPage) sessionStorage.setItem(last, ofPage);
  if (!submitter?.closest('form')?.querySelector('[data-list]')) return;
  const row = submitter.closest('[data-list] tr');
  const ticked = boxes().filter((box) => box.checked);
  const decided = row ?? ticked[0]?.closest('tr');
  if (!decided) return;
  sessionStorage.setItem(last, decided.id.slice('rad-'.length));
  const left = row
    ? [row.nextElementSibling, row.previousElementSibling]
    : [...decided.parentElement.children].filter(
        (one) => !one.querySelector('td.tick input')?.checked,
      );
  const next = left.find(Boolean);
  if (next) sessionStorage.setItem(place, next.id);
  if (!row) return;
  const other = boxes().filter((box) => box.checked !== box.defaultChecked);
  sessionStorage.setItem(turned, JSON.stringify(other.map(({ value }) => value)));
});

document.addEventListener('keydown', (event) => {
  if (event.key !== 'u' || event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.target.matches('input:not([type=checkbox]), textarea, select')) return;
  // On the page of a decided row that is the row meant.
  const here = document.querySelector('[data-undo]');
  const id = sessionStorage.getItem(last);
  if (!here && !id) return;
  event.preventDefault();
  if (here) here.focus();
  // The browser gives the button that is pointed at the focus.
  else location.assign(`/bank/${id}#angra`);
});

const values = new Set(JSON.parse(sessionStorage.getItem(turned) ?? '[]'));
sessionStorage.removeItem(turned);
for (const box of boxes().filter(({ value }) => values.has(value))) {
  box.checked = !box.defaultChecked;
  box.dispatchEvent(new Event('change', { bubbles: true }));
}

const next = sessionStorage.getItem(place);
if (document.querySelector('[data-list]')) sessionStorage.removeItem(place);
if (next) decide(document.getElementById(next))?.focus();
