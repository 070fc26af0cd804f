/**
 * The rows of a voucher: the balance while one types, new rows without a reload, and the hands kept on the
 * keyboard. Without this the server counts, and the button for more rows asks it.
 */
import { oreOf, textOf } from './amounts.js';

const frame = document.querySelector('[data-voucher-rows]');
const body = frame.querySelector('tbody');
const form = frame.closest('form');
const names = new Map(
  [...document.querySelectorAll('#accounts option')].map((option) => [
    option.value,
    option.textContent.slice(option.value.length).trim(),
  ]),
);

const amounts = (side) => [...body.querySelectorAll(`input[name$=".${side}"]`)];
const sumOf = (side) => amounts(side).reduce((sum, input) => sum + oreOf(input.value), 0n);

function showBalance() {
  const [debit, credit] = [sumOf('debit'), sumOf('credit')];
  frame.querySelector('[data-debit]').textContent = textOf(debit);
  frame.querySelector('[data-credit]').textContent = textOf(credit);
  const chip = frame.querySelector('[data-balance]');
  const difference = debit > credit ? debit - credit : credit - debit;
  const isEmpty = debit === 0n && credit === 0n;
  const balanced = isEmpty ? 'Inga belopp än' : 'Balanserar';
  const words = difference === 0n ? balanced : `Skillnad ${textOf(difference)}`;
  if (chip.textContent !== words) chip.textContent = words;
  chip.classList.toggle('good', difference === 0n && !isEmpty);
  chip.classList.toggle('warn', difference !== 0n);
}

function showAccountName(input) {
  const name = names.get(input.value.trim().slice(0, 4)) ?? '';
  input.closest('td').querySelector('[data-account-name]').textContent = name;
}

/** An empty row like the last one, with the next place in every name and id. */
function addRow() {
  const last = body.lastElementChild;
  const row = last.cloneNode(true);
  const place = body.children.length;
  for (const element of row.querySelectorAll('[id], [for], [name]')) {
    for (const attribute of ['id', 'for']) {
      const value = element.getAttribute(attribute);
      if (value) element.setAttribute(attribute, value.replace(/^f-rows-\d+-/, `f-rows-${place}-`));
    }
    if (element.name) element.name = element.name.replace(/^rows\[\d+\]/, `rows[${place}]`);
  }
  for (const input of row.querySelectorAll('input, select')) {
    input.value = '';
    input.removeAttribute('aria-invalid');
    input.removeAttribute('aria-describedby');
  }
  for (const error of row.querySelectorAll('.error')) error.remove();
  row.querySelector('[data-account-name]').textContent = '';
  for (const number of row.querySelectorAll('[data-no]')) number.textContent = place + 1;
  body.append(row);
  return row;
}

/** What is lacking on this side, for a person who types `=`. */
function fillIn(input) {
  const side = input.name.endsWith('.debit') ? 'debit' : 'credit';
  const other = side === 'debit' ? 'credit' : 'debit';
  const lacking = sumOf(other) - (sumOf(side) - oreOf(input.value));
  if (lacking > 0n) input.value = textOf(lacking);
  showBalance();
}

body.addEventListener('input', ({ target }) => {
  if (target.name?.endsWith('.account')) showAccountName(target);
  showBalance();
});

body.addEventListener('keydown', (event) => {
  const { target, key } = event;
  if (key === '=' && /\.(debit|credit)$/.test(target.name ?? '')) {
    event.preventDefault();
    fillIn(target);
    return;
  }
  if (key !== 'Enter' || target.tagName !== 'INPUT' || event.ctrlKey || event.metaKey) return;
  event.preventDefault();
  const row = target.closest('tr');
  (row.nextElementSibling ?? addRow()).querySelector('input').focus();
});

form.querySelector('[data-more-rows]').addEventListener('click', (event) => {
  event.preventDefault();
  addRow().querySelector('input').focus();
});

// A correction's replacement is asked for first.
const replaces = form.querySelector('[data-replaces] input');
if (replaces) {
  const section = form.querySelector('[data-replacement]');
  const show = () => {
    section.hidden = !replaces.checked;
    for (const input of section.querySelectorAll('input, select')) input.disabled = section.hidden;
  };
  replaces.addEventListener('change', show);
  show();
}

form.querySelector('[data-row-keys]')?.removeAttribute('hidden');
showBalance();
// Whoever asks for a new voucher is about to type it.
if (document.activeElement === document.body) form.querySelector('.pair input')?.focus();
