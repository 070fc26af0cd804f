/** Says how the rows balance while they are typed. The server asks for the same when they are saved. */
import { isEnglish, say } from './language.js';

const form = document.querySelector('form[data-balance]');
const place = form?.querySelector('[data-balance-text]');

/** `1 234,50` or `1,234.50` in öre; 0 for what is no amount yet. */
function oreOf(typed) {
  const plain = typed.replace(/[\s\u00a0\u202f]|kr$/g, '');
  const ungrouped = /^\d{1,3}(,\d{3})+\.\d+$/.test(plain) ? plain.replaceAll(',', '') : plain;
  const match = /^(\d{1,13})(?:[.,](\d{1,2}))?$/.exec(ungrouped);
  return match ? Number(match[1]) * 100 + Number((match[2] ?? '').padEnd(2, '0')) : 0;
}

const kronor = new Intl.NumberFormat(isEnglish ? 'en-GB' : 'sv-SE', { minimumFractionDigits: 2 });
const sumOf = (selector) =>
  [...form.querySelectorAll(selector)].reduce((sum, input) => sum + oreOf(input.value), 0);

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
