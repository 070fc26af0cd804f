/**
 * Deciding rows of the bank by keys: `j` `k` to a row's yes, Enter says it, `u` to the row decided last, where it can be
 * undone. After a yes the next row has the focus.
 */
const place = 'bank-next';
const last = 'bank-last';
const decide = (row) => row?.querySelector('[data-decide]') ?? row?.querySelector('.row-link');

document.addEventListener('submit', ({ submitter }) => {
  const row = submitter?.closest('[data-list] tr');
  if (!row) return;
  sessionStorage.setItem(last, row.id.slice('rad-'.length));
  const next = row.nextElementSibling ?? row.previousElementSibling;
  if (next) sessionStorage.setItem(place, next.id);
});

document.addEventListener('keydown', (event) => {
  if (event.key !== 'u' || event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.target.matches('input, textarea, select')) return;
  const id = sessionStorage.getItem(last);
  if (!id) return;
  event.preventDefault();
  location.assign(`/bank/${id}#angra`);
});

const next = sessionStorage.getItem(place);
sessionStorage.removeItem(place);
if (next) decide(document.getElementById(next))?.focus();
