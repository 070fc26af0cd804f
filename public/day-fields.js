/**
 * Days as people type them. A field of a day is a text, since a browser's own shows and takes days as its
 * language has them: in one that is English 261128 becomes 6 February in the year 1128. What is understood
 * is written out as the field is left, so that it is seen; a button opens the browser's calendar.
 */
import { dayOf } from './days.js';
import { say } from './language.js';

/** `sv-SE` writes days as YYYY-MM-DD. */
const today = () => new Date().toLocaleDateString('sv-SE');

const isDay = (element) => element?.matches?.('input[data-day]') ?? false;

/** Writes the day out; what is no day stays as it was typed, and is not sent. */
function settle(input) {
  const day = dayOf(input.value, today());
  const isFault = day === null && input.value.trim() !== '';
  input.setCustomValidity(
    isFault
      ? say(
          'Skriv ett datum som finns, i formen ÅÅÅÅ-MM-DD.',
          'Type a date that exists, in the form YYYY-MM-DD.',
        )
      : '',
  );
  if (day !== null && day !== input.value) write(input, day);
}

function write(input, day) {
  input.value = day;
  input.dispatchEvent(new Event('input', { bubbles: true }));
}

function openCalendar(button) {
  const input = button.parentElement.querySelector('input[data-day]');
  const calendar = document.createElement('input');
  calendar.type = 'date';
  calendar.tabIndex = -1;
  calendar.ariaHidden = 'true';
  calendar.value = dayOf(input.value, today()) ?? '';
  calendar.addEventListener('change', () => {
    input.setCustomValidity('');
    if (calendar.value) write(input, calendar.value);
    calendar.remove();
    input.dispatchEvent(new Event('change', { bubbles: true }));
    input.focus();
  });
  button.parentElement.querySelector('input[type=date]')?.remove();
  button.before(calendar);
  calendar.showPicker();
}

document.addEventListener('input', ({ target }) => {
  if (isDay(target)) target.setCustomValidity('');
});
document.addEventListener('change', ({ target }) => isDay(target) && settle(target), true);
// A form that a key sends has not left its field.
document.addEventListener(
  'keydown',
  ({ key, target }) => key === 'Enter' && isDay(target) && settle(target),
  true,
);
document.addEventListener('click', ({ target }) => {
  const button = target.closest?.('[data-calendar]');
  if (button) openCalendar(button);
});
