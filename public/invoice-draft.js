/**
 * Saves the round trip of "Räkna om" and "Fler rader", and suggests customers and articles. The server
 * counts anew whatever stands here: what is saved is its figures.
 */
import { parseTyped, textOf } from './amounts.js';

const form = document.querySelector('[data-draft]');
const rows = form.querySelector('[data-rows]');

/** `1 234,5` in ten-thousandths; null when it is no such number. */
const parse = (text) => parseTyped(text, 4);

/** Half away from zero, as the server rounds. */
function divide(numerator, denominator) {
  const size = numerator < 0n ? -numerator : numerator;
  const rounded = (2n * size + denominator) / (2n * denominator);
  return numerator < 0n ? -rounded : rounded;
}

const typedIn = (row, name) => row.querySelector(`[name$=".${name}"]`).value;

function rateOf(row) {
  const chosen = typedIn(row, 'vatRate');
  if (chosen !== '') return Number(chosen);
  const { value, placeholder } = row.querySelector('[name$=".account"]');
  const account = value.trim().slice(0, 4) || placeholder;
  const option = [...document.querySelectorAll('#intaktskonton option')].find(
    ({ value }) => value === account,
  );
  return Number(option?.dataset.rate ?? 0);
}

/** The account that a row without one is sold on, by its rate. */
function showUsual(row) {
  const rate = typedIn(row, 'vatRate') || '25';
  const usual = document.querySelector(`#intaktskonton [data-usual][data-rate="${rate}"]`);
  row.querySelector('[name$=".account"]').placeholder = usual?.value ?? '';
}

const isBlank = (row) =>
  ['articleNumber', 'description', 'unitPrice'].every((name) => typedIn(row, name).trim() === '');

/** A hundred per cent, in ten-thousandths as everything that is typed. */
const WHOLE = 1_000_000n;

/** Null when it is no discount: then the row is not counted. */
function discountOf(row) {
  const typed = typedIn(row, 'discountPct').trim();
  const discount = typed === '' ? 0n : parse(typed);
  const isOne = discount !== null && discount >= 0n && discount <= WHOLE && discount % 100n === 0n;
  return isOne ? discount : null;
}

function count() {
  const netByRate = new Map();
  for (const row of rows.children) {
    showUsual(row);
    const quantity = parse(typedIn(row, 'quantity'));
    const price = parse(typedIn(row, 'unitPrice'));
    const discount = discountOf(row);
    const isCounted = !isBlank(row) && ![quantity, price, discount].includes(null);
    const net = isCounted ? divide(quantity * price * (WHOLE - discount), 1_000_000n * WHOLE) : 0n;
    row.querySelector('[data-net]').textContent = isCounted ? textOf(net) : '';
    if (isCounted) netByRate.set(rateOf(row), (netByRate.get(rateOf(row)) ?? 0n) + net);
  }
  show([...netByRate].sort(([a], [b]) => b - a));
}

function show(rates) {
  const sums = form.querySelector('[data-sums]');
  for (const old of sums.querySelectorAll('[data-vat]')) old.remove();
  const before = sums.querySelector('dt.grand');
  let net = 0n;
  let vat = 0n;
  for (const [rate, base] of rates) {
    const share = divide(base * BigInt(rate), 100n);
    net += base;
    vat += share;
    for (const [tag, text] of [
      ['dt', `Moms ${rate} %`],
      ['dd', textOf(share)],
    ]) {
      const element = document.createElement(tag);
      element.dataset.vat = '';
      element.textContent = text;
      before.before(element);
    }
  }
  sums.querySelector('[data-sum-net]').textContent = textOf(net);
  sums.querySelector('[data-sum-total]').textContent = `${textOf(net + vat)}\u00a0kr`;
  // What is shown goes with the form: the server books nothing else.
  form.elements.shown.value = String(net + vat);
}

/** A row like the last one, with a number of its own. */
function addRow() {
  const index = rows.children.length;
  const template = form.querySelector('[data-row-template]');
  const fresh = template.content.cloneNode(true);
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

const suggestions = new Map();

async function suggest(kind, list, text, optionOf) {
  const asked = text.trim();
  if (asked === '') return;
  const response = await fetch(`/kundfakturor/forslag/${kind}?sok=${encodeURIComponent(asked)}`);
  if (!response.ok || response.redirected) return;
  const found = await response.json();
  list.replaceChildren(
    ...found.map((one) => {
      const option = document.createElement('option');
      Object.assign(option, optionOf(one));
      suggestions.set(option.value, one);
      return option;
    }),
  );
}

const later = (work, ms = 200) => {
  let timer;
  return (...values) => {
    clearTimeout(timer);
    timer = setTimeout(() => work(...values).catch(() => undefined), ms);
  };
};
const suggestCustomers = later((text) =>
  suggest('kunder', document.querySelector('#kundforslag'), text, ({ value }) => ({ value })),
);
/** Whoever types on before the answer has come gets the row filled when it does. */
async function askForArticle(row) {
  await suggest(
    'artiklar',
    document.querySelector('#artikelforslag'),
    typedIn(row, 'articleNumber'),
    (article) => ({ value: article.number, label: article.description }),
  );
  fill(row);
}
const suggestArticles = later(askForArticle);

/** An article that was chosen says what the row is for, where nobody has written; another one, another thing. */
function fill(row) {
  const article = suggestions.get(typedIn(row, 'articleNumber').trim());
  if (!article?.description) return;
  const { description, unit, price, account } = article;
  for (const [name, value] of Object.entries({ description, unit, unitPrice: price, account })) {
    const field = row.querySelector(`[name$=".${name}"]`);
    if (field.value.trim() !== '' && field.value !== field.dataset.filled) continue;
    field.value = value ?? '';
    field.dataset.filled = field.value;
  }
  count();
}

form.addEventListener('input', ({ target }) => {
  if (target.name === 'customer') suggestCustomers(target.value);
  const row = target.closest('[data-row]');
  if (!row) return;
  if (target.name.endsWith('.articleNumber')) {
    fill(row);
    suggestArticles(row);
  }
  if (row === rows.lastElementChild && !isBlank(row)) addRow();
  count();
});

form.addEventListener('change', ({ target }) => {
  const row = target.closest('[data-row]');
  const isArticle = row && target.name.endsWith('.articleNumber') && target.value.trim() !== '';
  if (isArticle && !suggestions.has(target.value.trim())) askForArticle(row).catch(() => undefined);
});

if (rows) {
  form.querySelector('[data-count]').hidden = true;
  form.querySelector('[data-more]').addEventListener('click', (event) => {
    event.preventDefault();
    addRow().querySelector('input').focus();
  });
  count();
}
