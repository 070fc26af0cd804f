/**
 * What a form's amounts come to (`data-sum`), or leave of a whole, while one types: of öre (`data-whole`), or of what stands in
 * a field (`data-whole-of`). Fields that take off it are named in `data-less`. `=` fills in what is left.
 */
import { oreOf, textOf } from './amounts.js';

const place = document.querySelector('[data-sum]');
const form = place?.closest('form');
const { whole: known, wholeOf = '', less = '' } = place?.dataset ?? {};
const wholeField = wholeOf === '' ? null : form.querySelector(`input[name="${wholeOf}"]`);
const isOfWhole = known !== undefined || wholeField !== null;
const whole = () => (wholeField ? oreOf(wholeField.value) : BigInt(known ?? 0));
const takingOff = new Set(less.split(' '));
const signOf = ({ name }) => (takingOff.has(name) ? -1n : 1n);
const amounts = () =>
  [...form.querySelectorAll('input.amount')].filter((input) => input !== wholeField);
const sum = () => amounts().reduce((all, input) => all + signOf(input) * oreOf(input.value), 0n);

function tell() {
  place.textContent = `${textOf(isOfWhole ? whole() - sum() : sum())} kr`;
}

form?.addEventListener('input', tell);
form?.addEventListener('keydown', (event) => {
  const { target, key } = event;
  if (!isOfWhole || key !== '=' || !target.matches('input.amount')) return;
  event.preventDefault();
  target.value = textOf(
    target === wholeField ? sum() : oreOf(target.value) + signOf(target) * (whole() - sum()),
  );
  tell();
});
document.querySelector('[data-sum-keys]')?.removeAttribute('hidden');
if (place) tell();
// Whoever asks to split a row is about to type its first part.
if (known !== undefined && document.activeElement === document.body)
  form.querySelector('select')?.focus();
