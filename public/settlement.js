/** What is ticked of the clearing account is what was sold and paid back, until one types another sum. */
import { textOf } from './amounts.js';

const boxes = () => [...document.querySelectorAll('td.tick input[name="item"]')];
const fields = ['sold', 'refunded'].map((name) => document.querySelector(`input[name="${name}"]`));

/** Of those that came in, and of those that went back, both above zero. */
function sides() {
  const ores = boxes()
    .filter((box) => box.checked)
    .map(({ dataset }) => BigInt(dataset.ore));
  const sum = (some) => some.reduce((all, ore) => all + ore, 0n);
  return [sum(ores.filter((ore) => ore > 0n)), -sum(ores.filter((ore) => ore < 0n))];
}

document.addEventListener('change', ({ target }) => {
  if (!target.matches('td.tick input, th.tick input')) return;
  for (const [place, ore] of sides().entries()) {
    const field = fields[place];
    if (field.dataset.typed !== undefined) continue;
    field.value = ore === 0n ? '' : textOf(ore);
    field.form.dispatchEvent(new Event('input'));
  }
});
for (const field of fields) {
  const mark = () => {
    if (field.value.trim() === '') delete field.dataset.typed;
    else field.dataset.typed = '';
  };
  field.addEventListener('input', mark);
  mark();
}
