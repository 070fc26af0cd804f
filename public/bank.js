/**
 * Deciding rows of the bank by keys: `j` `k` to a row's yes, Enter says it, `u` to the row decided last, where it can be
 * undone. After a yes the next row has the focus, and the others are ticked as they were.
 */
const place = 'bank-next';
const last = 'bank-last';
const turned = 'bank-turned';
const boxes = () => [...document.querySelectorAll('[data-list] td.tick input')];
const decide = (row) => row?.querySelector('[data-decide]') ?? row?.querySelector('.row-link');

document.addEventListener('submit', ({ submitter }) => {
  const row = submitter?.closest('[data-list] tr');
  if (!row) return;
  sessionStorage.setItem(last, row.id.slice('rad-'.length));
  const next = row.nextElementSibling ?? row.previousElementSibling;
  if (next) sessionStorage.setItem(place, next.id);
  const other = boxes().filter((box) => box.checked !== box.defaultChecked);
  sessionStorage.setItem(turned, JSON.stringify(other.map(({ value }) => value)));
});

document.addEventListener('keydown', (event) => {
  if (event.key !== 'u' || event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.target.matches('input, textarea, select')) return;
  const id = sessionStorage.getItem(last);
  if (!id) return;
  event.preventDefault();
  location.assign(`/bank/${id}#angra`);
});

const values = new Set(JSON.parse(sessionStorage.getItem(turned) ?? '[]'));
sessionStorage.removeItem(turned);
for (const box of boxes().filter(({ value }) => values.has(value))) {
  box.checked = !box.defaultChecked;
  box.dispatchEvent(new Event('change', { bubbles: true }));
}

const next = sessionStorage.getItem(place);
sessionStorage.removeItem(place);
if (next) decide(document.getElementById(next))?.focus();
