/**
 * A supplier's invoice while it is written: the file beside it as soon as it is chosen, what the supplier usually
 * is, and whether the rows come to what is to be paid. The server reckons all of it again.
 */
import { parseTyped, textOf } from './amounts.js';

const form = document.querySelector('[data-written]');
const home = 'SEK';
const rows = form.querySelector('[data-rows]');
const balance = form.querySelector('[data-balance]');
const rates = new Map(
  [...document.querySelectorAll('#charged-rates option')].map(({ value, dataset }) => [
    value,
    BigInt(dataset.rate),
  ]),
);

/** An amount as typed, in hundredths; null when it is no number. */
const oreOf = (text) => parseTyped(text, 2);

/** Half away from zero, as the server rounds. */
function divide(numerator, denominator) {
  const size = numerator < 0n ? -numerator : numerator;
  const rounded = (2n * size + denominator) / (2n * denominator);
  return numerator < 0n ? -rounded : rounded;
}

const cell = (row, name) => row.querySelector(`[name$=".${name}"]`);
const isBlank = (row) =>
  ['account', 'amount', 'note'].every((name) => cell(row, name).value.trim() === '');

/** What the rows come to with VAT, and how many of them take the rest. */
function reckon() {
  const isIncluded = form.elements.isVatIncluded.checked;
  const byCode = new Map();
  let rests = 0;
  for (const row of rows.children) {
    if (isBlank(row)) continue;
    const ore = oreOf(cell(row, 'amount').value);
    if (ore === null) rests += 1;
    const code = cell(row, 'vatCode').value;
    byCode.set(code, (byCode.get(code) ?? 0n) + (ore ?? 0n));
  }
  let gross = 0n;
  let vat = 0n;
  for (const [code, ore] of byCode) {
    const rate = rates.get(code) ?? 0n;
    const share = divide(ore * rate, isIncluded ? 100n + rate : 100n);
    gross += isIncluded ? ore : ore + share;
    vat += share;
  }
  return { gross, vat, rests };
}

function tell() {
  const total = oreOf(form.elements.total.value);
  const { gross, vat, rests } = reckon();
  const written = [...rows.children].some((row) => !isBlank(row));
  if (total === null || !written) {
    balance.textContent = '';
    return;
  }
  const left = total - gross;
  const size = left < 0n ? -left : left;
  const ofRows = `Raderna blir ${textOf(gross)} med moms, varav moms ${textOf(vat)}.`;
  const words =
    rests === 1
      ? `Raden utan belopp tar resten: ${textOf(left)} med moms.`
      : size === 0n
        ? 'De går ihop med beloppet.'
        : size < 100n
          ? `${textOf(left)} blir öresutjämning.`
          : `Det skiljer ${textOf(left)} mot beloppet.`;
  const all = rests === 1 && gross === 0n ? words : `${ofRows} ${words}`;
  const rate =
    form.elements.currency.value === home ? null : parseTyped(form.elements.rate.value, 6);
  balance.textContent =
    rate === null ? all : `${all} I kronor: ${textOf(divide(total * rate, 1_000_000n))}.`;
}

/** Kronor have no rate. */
function showRate() {
  const isHome = form.elements.currency.value === home;
  form.querySelector('[data-rate]').hidden = isHome;
  if (isHome) form.elements.rate.value = '';
}

/** A row like the last one, with a number of its own. */
function addRow() {
  const index = rows.children.length;
  const fresh = form.querySelector('[data-row-template]').content.cloneNode(true);
  for (const element of fresh.querySelectorAll('[id], [for], [name]')) {
    for (const name of ['id', 'for', 'name']) {
      const given = element.getAttribute(name);
      if (given) element.setAttribute(name, given.replace('9999', String(index)));
    }
  }
  fresh.querySelector('legend').textContent = `Rad ${index + 1}`;
  rows.append(fresh);
  return rows.lastElementChild;
}

/** What nobody has written is as the chosen supplier usually is; another one, as that is. */
function fillIn(field, value) {
  if (!field || !value) return;
  if (field.value.trim() !== '' && field.value !== field.dataset.filled) return;
  field.value = value;
  field.dataset.filled = value;
}

/** Whom it is from has said its currency once, when it is chosen: what somebody changes after that stays. */
function fillCurrency(currency) {
  const own = form.elements.currency;
  if (!currency || (own.value !== home && own.value !== own.dataset.filled)) return;
  own.value = currency;
  own.dataset.filled = currency;
}

function fillFromSupplier({ isChosen }) {
  const { supplier, issueDate, dueDate, payTo } = form.elements;
  const chosen = [...document.querySelectorAll('#suppliers option')].find(
    ({ value }) => value === supplier.value,
  );
  if (!chosen) return;
  const { days, account, vatCode, currency, payTo: number } = chosen.dataset;
  if (isChosen) fillCurrency(currency);
  const due = new Date(`${issueDate.value}T00:00:00Z`);
  if (!Number.isNaN(due.getTime()) && form.elements.kind.value === 'invoice') {
    due.setUTCDate(due.getUTCDate() + Number(days));
    fillIn(dueDate, due.toISOString().slice(0, 10));
  }
  fillIn(payTo, number);
  const [first] = rows.children;
  if (first && isBlank(first) && vatCode) cell(first, 'vatCode').value = vatCode;
  if (first) fillIn(cell(first, 'account'), account);
  tell();
}

form.addEventListener('input', ({ target }) => {
  if (['supplier', 'issueDate', 'kind'].includes(target.name) && form.elements.supplier) {
    fillFromSupplier({ isChosen: target.name === 'supplier' });
  }
  if (['supplier', 'currency'].includes(target.name)) showRate();
  const row = target.closest('[data-row]');
  if (row && row === rows.lastElementChild && !isBlank(row)) addRow();
  tell();
});

form.querySelector('[data-more]').addEventListener('click', (event) => {
  event.preventDefault();
  addRow().querySelector('input').focus();
});

form.querySelector('[data-reckon]').hidden = true;

// A file that is chosen, dropped or pasted is shown at once, with all that is typed.
const file = form.elements.files;
const show = form.querySelector('[data-show-file]');
show.hidden = true;
const showFile = () => form.requestSubmit(show);
file.addEventListener('change', () => {
  if (file.files.length > 0) showFile();
});
for (const name of ['dragover', 'drop']) {
  form.addEventListener(name, (event) => {
    if (![...(event.dataTransfer?.types ?? [])].includes('Files')) return;
    event.preventDefault();
    if (name === 'dragover') return;
    file.files = event.dataTransfer.files;
    if (file.files.length > 0) showFile();
  });
}
document.addEventListener('paste', ({ clipboardData }) => {
  if (!clipboardData || clipboardData.files.length === 0) return;
  file.files = clipboardData.files;
  showFile();
});

if (form.elements.supplier) fillFromSupplier({ isChosen: false });
showRate();
tell();
