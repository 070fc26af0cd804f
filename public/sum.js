/** What a form's amounts come to (`data-sum`), or leave of a whole (`data-whole`, öre), while one types; `=` fills in what is left. */
import { oreOf, textOf } from './amounts.js';

const place = document.querySelector('[data-sum]');
const form = place?.closest('form');
const amounts = () => [...form.querySelectorAll('input.amount')];
const sum = () => amounts().reduce((all, { value }) => all + oreOf(value), 0n);
const whole = place?.dataset.whole === undefined ? null : BigInt(place.dataset.whole);

function tell() {
  place.textContent = `${textOf(whole === null ? sum() : whole - sum())} kr`;
}

form?.addEventListener('input', tell);
form?.addEventListener('keydown', (event) => {
  const { target, key } = event;
  if (whole === null || key !== '=' || !target.matches('input.amount')) return;
  event.preventDefault();
  target.value = textOf(whole - sum() + oreOf(target.value));
  tell();
});
document.querySelector('[data-sum-keys]')?.removeAttribute('hidden');
if (place) tell();
// Whoever asks to split a row is about to type its first part.
if (whole !== null && document.activeElement === document.body)
  form.querySelector('select')?.focus();
