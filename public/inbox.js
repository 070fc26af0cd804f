/** Ticking rows of an inbox: all at once with the box in the head, and how many there are. */
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

/** Where the number of ticked rows stands, if anywhere. */
function tell() {
  const place = document.querySelector('[data-ticked]');
  const ticked = boxes().filter((box) => box.checked).length;
  const all = boxes().length;
  const words = say(`${ticked} av ${all} markerade. `, `${ticked} of ${all} selected. `);
  if (place) place.textContent = ticked === 0 ? '' : words;
}

document.addEventListener('change', ({ target }) => {
  if (target.matches('td.tick input')) tell();
});
document.addEventListener('refreshed', addBoxForAll);
addBoxForAll();
tell();
