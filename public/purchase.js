/** Says how the rows balance while they are typed. The server asks for the same when they are saved. */
import { oreOf } from './amounts.js';
import { isEnglish, say } from './language.js';

const form = document.querySelector('form[data-balance]');
const place = form?.querySelector('[data-balance-text]');

const kronor = new Intl.NumberFormat(isEnglish ? 'en-GB' : 'sv-SE', { minimumFractionDigits: 2 });
const sumOf = (selector) =>
  [...form.querySelectorAll(selector)].reduce((sum, input) => sum + Number(oreOf(input.value)), 0);

function tell() {
  const [debit, credit] = [sumOf('[data-debit]'), sumOf('[data-credit]')];
  if (debit === 0 && credit === 0) return;
  const left = debit - credit;
  const difference = kronor.format(left / 100);
  const word =
    left === 0
      ? say('Raderna är i balans.', 'The rows balance.')
      : say(`Skillnad ${difference}.`, `Difference ${difference}.`);
  const sides = [kronor.format(debit / 100), kronor.format(credit / 100)];
  place.textContent = `${say('Debet', 'Debit')} ${sides[0]} · ${say('Kredit', 'Credit')} ${sides[1]}. ${word}`;
}

if (form && place) {
  form.addEventListener('input', tell);
  tell();
}
