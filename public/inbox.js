/** Ticking rows of an inbox: all at once with the box in the head, how many there are, and what they come to (`data-ore`). */
import { textOf } from './amounts.js';
import { say } from './language.js';

const boxes = () => [...document.querySelectorAll('td.tick input')];

function addBoxForAll() {
  const head = document.querySelector('th.tick');
  if (!head || boxes().length < 2 || head.querySelector('input')) return;
  const all = document.createElement('input');
  all.type = 'checkbox';
  all.setAttribute('aria-label', say('Markera alla på sidan', 'Select all on this page'));
  all.addEventListener('change', () => {
    for (const box of boxes()) box.checked = all.checked;
    tell();
  });
  head.append(all);
}

/** What boxes with amounts come to; empty where there are none. */
function sumOf(some) {
  if (!some.some(({ dataset }) => dataset.ore)) return '';
  return `, ${textOf(some.reduce((sum, { dataset }) => sum + BigInt(dataset.ore ?? 0), 0n))} kr`;
}

/** Where the number of ticked rows stands, if anywhere. */
function tell() {
  const place = document.querySelector('[data-ticked]');
  const ticked = boxes().filter((box) => box.checked);
  const all = boxes().length;
  const words = say(`${ticked.length} av ${all} markerade`, `${ticked.length} of ${all} selected`);
  if (place) place.textContent = ticked.length === 0 ? '' : `${words}${sumOf(ticked)}. `;
}

document.addEventListener('change', ({ target }) => {
  if (target.matches('td.tick input')) tell();
});
document.addEventListener('refreshed', addBoxForAll);
addBoxForAll();
tell();
