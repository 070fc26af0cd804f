/**
 * An account may be written by its name: leaving the field puts in the number when the words fit one
 * account alone, or one whose name begins with them. Several that fit are told beside the field.
 */
const shown_max = 4;

document.addEventListener('change', ({ target }) => {
  if (!/(^|\.|_)account$/.test(target.name ?? '') || !target.list) return;
  const found = accountsNamed(target.value, accountsOf(target.list));
  if (found.length === 1) {
    target.value = found[0].number;
    target.dispatchEvent(new Event('input', { bubbles: true }));
  } else if (found.length > 1) {
    placeOf(target).textContent = choicesText(found);
  }
});

/** Where the accounts that fit are told; a field without such a place gets one. */
function placeOf(field) {
  const there = field.closest('td, .cell, .field')?.querySelector('[data-account-name]');
  if (there) return there;
  const made = document.createElement('p');
  made.className = 'help';
  made.dataset.accountName = '';
  field.insertAdjacentElement('afterend', made);
  return made;
}

/** Number and name of every account in a list of choices. */
const accountsOf = (list) =>
  [...list.options].map(({ value, label, textContent }) => ({
    number: value,
    name: (label || textContent).replace(value, '').trim(),
  }));

/** Those that a text may mean: one when it is clear which, none when it is no name. */
function accountsNamed(text, accounts) {
  const typed = text.trim().toLocaleLowerCase('sv');
  if (typed === '' || /^\d/.test(typed)) return [];
  const lower = ({ name }) => name.toLocaleLowerCase('sv');
  const words = typed.split(/\s+/);
  const fitting = accounts.filter((one) => words.every((word) => lower(one).includes(word)));
  const beginning = fitting.filter((one) => lower(one).startsWith(typed));
  const exact = fitting.filter((one) => lower(one) === typed);
  return [exact, beginning].find(({ length }) => length === 1) ?? fitting;
}

const choicesText = (accounts) =>
  accounts
    .slice(0, shown_max)
    .map(({ number, name }) => `${number} ${name}`)
    .join(', ') + (accounts.length > shown_max ? ' …' : '');
