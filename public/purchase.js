/** Says how the rows balance while they are typed. The server asks for the same when they are saved. */
const form = document.querySelector('form[data-balance]');
const place = form?.querySelector('[data-balance-text]');

/** `1 234,50` in öre; 0 for what is no amount yet. */
function oreOf(typed) {
  const match = /^(\d{1,13})(?:[.,](\d{1,2}))?$/.exec(typed.replace(/[\s\u00a0\u202f]|kr$/g, ''));
  return match ? Number(match[1]) * 100 + Number((match[2] ?? '').padEnd(2, '0')) : 0;
}

const kronor = new Intl.NumberFormat('sv-SE', { minimumFractionDigits: 2 });
const sumOf = (selector) =>
  [...form.querySelectorAll(selector)].reduce((sum, input) => sum + oreOf(input.value), 0);

function tell() {
  const [debit, credit] = [sumOf('[data-debit]'), sumOf('[data-credit]')];
  if (debit === 0 && credit === 0) return;
  const left = debit - credit;
  const word = left === 0 ? 'Raderna är i balans.' : `Skillnad ${kronor.format(left / 100)}.`;
  place.textContent = `Debet ${kronor.format(debit / 100)} · Kredit ${kronor.format(credit / 100)}. ${word}`;
}

if (form && place) {
  form.addEventListener('input', tell);
  tell();
}
